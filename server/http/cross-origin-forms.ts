import { Fault } from '../faults.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import type { Origins } from './origins.ts'

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Whether a browser says that the request comes from a page of another site, or of another host of this site. */
function isCrossOrigin({ headers }: HttpRequest, origins: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  // `null` is inconclusive: our own pages send it too, because of their Referrer-Policy.
  const isNamed = origin !== undefined && origin !== 'null'
  if (isNamed && (origins.isOrigin(origin) || hostOf(origin) === headers.host)) return false
  if (site !== undefined) return site === 'cross-site' || site === 'same-site'
  return isNamed
}

/**
 * CSRF protection: refuses forms that pages of other origins submit through a visitor's browser, which CORS does not
 * prevent. Runs before rate limits, so that they do not count against the visitor. Programs send none of these headers.
 * docs/security.md T31.
 */
export function refuseCrossOriginForms(app: HttpServer, origins: Origins): void {
  app.addHook('onRequest', async (req) => {
    const { config } = req.routeOptions
    const takesForms = 'bodyKind' in config && (config.bodyKind === 'form' || config.bodyKind === 'form or JSON')
    if (takesForms && req.method === 'POST' && isCrossOrigin(req, origins))
      throw new Fault(
        'forbidden',
        'This form was sent from another website. Please open the page here and send it again.',
      )
  })
}
