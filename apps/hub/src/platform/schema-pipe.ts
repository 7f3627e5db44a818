import { StandardSchemaValidationPipe } from '@nestjs/common';
import { HubRefusal } from './hub-refusal.js';
import { fieldErrors } from './schema-problems.js';

/** Parses bodies, queries and parameters by the schema on them; what is wrong is named field by field. */
export const schemaPipe = (): StandardSchemaValidationPipe =>
  new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => {
      const fields = fieldErrors(issues);
      const first = fields[0];
      const where = first === undefined || first.field === '' ? 'The body' : first.field;
      return new HubRefusal('INVALID', `${where}: ${first?.problem ?? 'is not as it must be'}.`, {
        fields,
      });
    },
  });
