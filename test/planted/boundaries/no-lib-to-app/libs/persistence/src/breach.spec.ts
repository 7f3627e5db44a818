export * from '../../../apps/hub/src/room.js';
