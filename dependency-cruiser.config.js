import { ROOMS } from "./rooms.config.js";

const escaped = (text) => text.replaceAll(/[.$()[\]]/g, "\\$&");
const place = (room) => (room.endsWith(".ts") ? `^app/${escaped(room)}$` : `^app/${room}/`);
/** At app's root stands what Remix and the wiring need. */
const ROOT = "^app/[^/]+$";

const rulesOf = ({ room, imports, doors }) => [
  {
    name: `${room}: floors`,
    severity: "error",
    comment: "rooms.config.js says what this room may import.",
    from: { path: place(room) },
    to: {
      path: "^app/",
      pathNot: ["\\.css$", place(room), ...imports.map((each) => (each === "(root)" ? ROOT : place(each)))],
    },
  },
  ...(doors === "all"
    ? []
    : [
        {
          name: `${room}: doors`,
          severity: "error",
          comment: "rooms.config.js says which files of this room others may import.",
          from: { path: "^app/", pathNot: place(room) },
          to: { path: place(room), pathNot: doors.map((door) => `^app/${room}/${escaped(door)}\\.tsx?$`) },
        },
      ]),
];

/**
 * Two things hold, type imports included. No two files import each other, directly or by way of others, in the tests too: whoever reads a
 * file can read what it needs first. And the app's imports go down the floors, through doors: rules made from the table of rooms.
 * @type {import("dependency-cruiser").IConfiguration}
 */
export default {
  forbidden: [
    {
      name: "no circle",
      severity: "error",
      from: { path: "^(app|scripts|extensions|test)/" },
      to: { circular: true },
    },
    ...ROOMS.flatMap(rulesOf),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.d\\.ts$|/generated/|^extensions/[^/]+/dist" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
