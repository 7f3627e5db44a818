import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

/** Names with a hash of their content in them never change. */
const HASHED = /[/\\]assets[/\\]/;
const A_YEAR = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';
/** What is the API's is never answered with the page. */
const NOT_THE_PAGE = /^\/(?:api|healthz|readyz|socket\.io)(?:\/|$)/;

/** Serves the built dashboard; addresses of its own routes all give its one page. */
export function servePage(application: NestExpressApplication, folder: string): void {
  application.useStaticAssets(folder, {
    index: 'index.html',
    redirect: false,
    dotfiles: 'ignore',
    setHeaders: (response: Response, path: string) => {
      response.setHeader('Cache-Control', HASHED.test(path) ? A_YEAR : ASK_EACH_TIME);
    },
  });
  const page = join(folder, 'index.html');
  application.use((request: Request, response: Response, next: NextFunction) => {
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !NOT_THE_PAGE.test(request.path) &&
      request.accepts(['json', 'html']) === 'html';
    if (!wantsPage) {
      next();
      return;
    }
    response.setHeader('Cache-Control', ASK_EACH_TIME);
    response.sendFile(page, (error?: Error) => {
      if (error !== undefined && !response.headersSent) next();
    });
  });
}
