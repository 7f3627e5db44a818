/** A program that has nothing to do with anything: it says that it is there and waits to be ended. */
process.stdout.write('{"here":true}\n');
setInterval(() => undefined, 60_000);
