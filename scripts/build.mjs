// `npm run build`: what `npm start` builds, without starting it.
import './check-node.mjs';
import { prepare } from './prepare.mjs';
import { main } from './terminal.mjs';

await main(prepare);
