import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import type { Route } from '#contracts';

/** Key of the metadata that {@link Serves} leaves on a handler. */
export const SERVED_ROUTE = 'coxswain:route';

/**
 * Marks a handler as serving a route of the contracts: its method and path, who may call it, its status.
 * A handler without it is refused to everybody.
 */
export function Serves(route: Route): MethodDecorator {
  return applyDecorators(
    RequestMapping({ method: RequestMethod[route.method], path: route.path }),
    HttpCode(route.answer === undefined ? 204 : 200),
    SetMetadata(SERVED_ROUTE, route),
  );
}
