import { OutsideAdmin, outsideMeta } from "../components/shell/outside-admin.tsx";

export const meta = outsideMeta;

/** Where Shopify's package sends a page that was opened outside the admin. It has no form, because the app opens in the admin only. */
export const loader = () => null;

export default OutsideAdmin;
