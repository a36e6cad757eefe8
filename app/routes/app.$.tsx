/** Any other URL under /app: not found, within the shell, so that its menu leads on. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export default function Nowhere() {
  return null;
}
