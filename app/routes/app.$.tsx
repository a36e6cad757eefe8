/** Whatever else the admin's frame asks for: not found, said in the shell, whose menu leads on. */
export function loader() {
  throw new Response(null, { status: 404 });
}

export default function Nowhere() {
  return null;
}
