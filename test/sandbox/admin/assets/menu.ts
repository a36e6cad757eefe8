// The navigation on narrow screens.
const menuButton = document.getElementById("menu-button") as HTMLButtonElement;
const sideMenu = document.getElementById("nav") as HTMLElement;

menuButton.addEventListener("click", () => {
  const open = sideMenu.classList.toggle("open");
  menuButton.setAttribute("aria-expanded", String(open));
});

sideMenu.addEventListener("click", (event) => {
  if (!(event.target instanceof HTMLAnchorElement)) return;
  sideMenu.classList.remove("open");
  menuButton.setAttribute("aria-expanded", "false");
});
