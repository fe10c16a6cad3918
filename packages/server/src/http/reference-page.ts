import express, { type Router } from 'express';
import { fileURLToPath } from 'node:url';

/** Copied there by the build: the page and its script from `src/reference-page`, the rest from swagger-ui-dist. */
const built = fileURLToPath(new URL('./reference-page/', import.meta.url));

/** Nothing from elsewhere, no inline script or style: works offline; the style sheet draws its icons with data: images. */
const policy =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/** The interactive reference of the HTTP services; every address in it is relative, for servers behind a prefix. */
export function referencePage(folder = built): Router {
  const router = express.Router({ strict: true });
  router.use((_request, response, next) => {
    response.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  });
  // Nobody needs a part of it, and one that it does not have has no code among the problems.
  router.use(express.static(folder, { redirect: false, acceptRanges: false }));
  return router;
}
