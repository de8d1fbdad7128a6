/** A route on which others can read the key. */
export type ClearRoute = {
  /** Names the route once it is accepted: `direct`, `editor`, or the proxy's origin. */
  readonly id: string;
  /** Host and port of the proxy that reads the key. */
  readonly proxy?: string;
};

/** Thrown before a request would go on such a route. */
export class ClearRouteError extends Error {
  readonly route: ClearRoute;

  constructor(route: ClearRoute) {
    super('Others could read the key on a route that was not accepted');
    this.name = 'ClearRouteError';
    this.route = route;
  }
}
