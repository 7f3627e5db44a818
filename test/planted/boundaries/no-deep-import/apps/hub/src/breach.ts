export * from '../../../libs/domain/src/cards/inside.js';
