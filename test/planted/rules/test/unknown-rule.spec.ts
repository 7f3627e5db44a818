import { it } from '@jest/globals';

it('[C99] names a rule that does not exist', () => undefined);
