export * from '../../hub/src/room.js';
