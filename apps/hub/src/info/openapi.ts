import * as contracts from '#contracts';
import { ErrorBody, ROUTES, type Route } from '#contracts';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

const UNREPRESENTABLE = { unrepresentable: 'any' } as const;
const reference = (name: string): string => `#/components/schemas/${name}`;

/** The contracts' schemas by the names under which they are exported. */
function namedSchemas(): {
  registry: z.core.$ZodRegistry<{ id: string }>;
  names: Map<unknown, string>;
} {
  const registry = z.registry<{ id: string }>();
  const names = new Map<unknown, string>();
  for (const [name, value] of Object.entries(contracts)) {
    if (!(value instanceof z.ZodType) || names.has(value)) continue;
    names.set(value, name);
    registry.add(value, { id: name });
  }
  return { registry, names };
}

/** The API's description, made from the very schemas that the hub parses with. */
export function openApiDocument(version: string): JsonSchema {
  const { registry, names } = namedSchemas();
  const { schemas } = z.toJSONSchema(registry, { ...UNREPRESENTABLE, uri: reference });
  const answer = (schema: z.ZodType): JsonSchema => {
    const name = names.get(schema);
    return name === undefined ? z.toJSONSchema(schema, UNREPRESENTABLE) : { $ref: reference(name) };
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, route] of Object.entries<Route>(ROUTES)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(operationId, route, answer);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Coxswain', version },
    paths,
    components: {
      schemas,
      securitySchemes: {
        device: { type: 'http', scheme: 'bearer' },
        collector: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(
  operationId: string,
  route: Route,
  answer: (schema: z.ZodType) => JsonSchema,
): JsonSchema {
  const ok =
    route.answer === undefined
      ? { 204: { description: 'Done.' } }
      : { 200: { description: 'Done.', content: json(answer(route.answer)) } };
  const body =
    route.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(inputOf(route.body)) } };
  return {
    operationId,
    summary: route.summary,
    security: route.for === 'anyone' ? [] : [{ [route.for]: [] }],
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query?.shape),
    ],
    ...body,
    responses: { ...ok, default: { description: 'Refused.', content: json(answer(ErrorBody)) } },
  };
}

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });

const inputOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { ...UNREPRESENTABLE, io: 'input' });

function parametersOf(
  place: 'path' | 'query',
  of: Readonly<Record<string, z.core.$ZodType>> = {},
): JsonSchema[] {
  return Object.entries(of).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(schema, undefined).success,
    schema: z.toJSONSchema(schema, UNREPRESENTABLE),
  }));
}
