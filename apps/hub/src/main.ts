import 'reflect-metadata';
import { runAlone, runSupervised } from './run.js';

await (process.send === undefined ? runAlone() : runSupervised());
