import { AppPage } from "../components/shell/app-page.tsx";
export default function Home() {
  return <AppPage title="Origen"><span /></AppPage>;
}
