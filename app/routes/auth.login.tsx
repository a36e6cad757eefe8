import { OutsideAdmin, outsideMeta } from "../components/shell/outside-admin.tsx";

export const meta = outsideMeta;

/** Where Shopify's package sends a page that was opened outside the admin. No form: the admin is the only way in. */
export const loader = () => null;

export default OutsideAdmin;
