export const STYLE = `
:host { display: block; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; font: inherit; }
.subdued { color: #616161; }
.tone-critical { color: #8e0b21; }
.tone-success { color: #0c5132; }
.tone-info { color: #00427d; }
.tone-caution, .tone-warning { color: #5e4200; }
.badge { display: inline-block; padding: 0.125rem 0.5rem; border-radius: 8px; background: #e3e3e3; color: #303030; font-size: 0.75rem; font-weight: 550; }
.badge.tone-success { background: #cdfee1; color: #0c5132; }
.badge.tone-critical { background: #fedad9; color: #8e0b21; }
.badge.tone-info { background: #e0f0ff; color: #00427d; }
.badge.tone-caution { background: #fff1b3; color: #4f4700; }
.badge.tone-warning { background: #ffe1b8; color: #5e4200; }
.banner { border: 1px solid #b5b5b5; border-radius: 8px; padding: 0.75rem; }
button, .button { cursor: pointer; display: inline-block; border: 1px solid #8a8a8a; border-radius: 8px; background: #fff; color: #303030; padding: 0.375rem 0.75rem; font-weight: 550; text-decoration: none; min-height: 2rem; }
button.primary { background: #303030; color: #fff; border-color: #303030; }
button:disabled { cursor: default; color: #616161; background: #f1f1f1; border-color: #d4d4d4; }
button[aria-busy="true"]::after { content: " …"; }
button.plain { border: 0; background: none; padding: 0; color: #005bd3; text-align: left; }
a { color: #005bd3; }
:focus-visible { outline: 2px solid #005bd3; outline-offset: 2px; }
label, .label { display: block; font-weight: 550; margin-bottom: 0.25rem; }
input:not([type="checkbox"], [type="radio"]), select, textarea { width: 100%; min-height: 2.25rem; padding: 0.375rem 0.5rem; border: 1px solid #8a8a8a; border-radius: 8px; background: #fff; color: #303030; }
input:not([type="checkbox"], [type="radio"])[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] { border-color: #8e0b21; background: #fff6f6; }
.details { color: #616161; font-size: 0.8125rem; margin: 0.25rem 0 0; }
.error { color: #8e0b21; font-size: 0.8125rem; margin: 0.25rem 0 0; }
.error:empty, .details:empty { display: none; }
fieldset { border: 0; margin: 0; padding: 0; }
.choices { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; }
.choice { display: inline-flex; gap: 0.375rem; align-items: center; font-weight: 400; margin: 0; min-height: 1.5rem; }
hr { border: 0; border-top: 1px solid #e3e3e3; margin: 0.25rem 0; }
h2 { font-size: 0.9375rem; font-weight: 650; margin: 0 0 0.75rem; }
h3 { font-size: 0.875rem; font-weight: 650; margin: 0; }
p { margin: 0; }
.footer { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; margin-top: 1rem; border-top: 1px solid #e3e3e3; padding-top: 0.75rem; }
`;

/** What the page itself needs for a block and an action. */
export const PAGE_STYLE = `
dialog.extension-action { border: 0; border-radius: 12px; padding: 1.25rem; width: min(34rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); box-shadow: 0 8px 32px rgb(0 0 0 / 0.3); color: inherit; }
dialog.extension-action::backdrop { background: rgb(0 0 0 / 0.4); }
[data-extension-menu] ul { list-style: none; margin: 0; padding: 0.5rem; display: grid; gap: 0.25rem; }
`;
