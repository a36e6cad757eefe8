// Runs first in every script, on whatever Node the machine has; so it is written for old ones.
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error(
    "Origen needs Node 22.19 or newer; this is " +
      process.version +
      ".\n" +
      "The project brings Node 24 along as the npm package `node`. It is missing here, most likely because npm was told\n" +
      "to skip install scripts or optional packages. Cure:  npm ci --foreground-scripts  (without --ignore-scripts or\n" +
      "--omit=optional), or install Node 22.19 or newer on this machine.",
  );
  process.exit(1);
}
