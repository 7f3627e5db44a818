/* eslint-disable prefer-template -- old versions of Node must be able to read it */
// Imported before anything else and written for old versions of Node, so that they get to say this plainly.
var needed = [20, 19];
var found = process.versions.node.split('.').map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    'Coxswain needs Node ' +
      needed.join('.') +
      ' or later, and this is Node ' +
      process.versions.node +
      '.\n' +
      'Install a newer one (your package manager, or the downloads of the Node project), then run this again.',
  );
  process.exit(1);
}
