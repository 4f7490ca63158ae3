import { Fault } from '../faults.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import type { Origins } from './origins.ts'

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Whether a browser says that a page of another site, or of another host of this site, sends the request. */
function isForeign({ headers }: HttpRequest, origins: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  // `null` says nothing: our own pages have it too, because they tell nobody where a visitor comes from.
  const isNamed = origin !== undefined && origin !== 'null'
  if (isNamed && (origins.isOrigin(origin) || hostOf(origin) === headers.host)) return false
  if (site !== undefined) return site === 'cross-site' || site === 'same-site'
  return isNamed
}

/**
 * Refuses forms that pages of other sites send with the browsers of their visitors: a form needs no permission of ours, and
 * would be counted for the visitor. Before it is counted. Programs send none of these headers. docs/security.md T31.
 */
export function refuseForeignForms(app: HttpServer, origins: Origins): void {
  app.addHook('onRequest', async (req) => {
    const { config } = req.routeOptions
    const takesForms = 'bodyKind' in config && (config.bodyKind === 'form' || config.bodyKind === 'form or JSON')
    if (takesForms && req.method === 'POST' && isForeign(req, origins))
      throw new Fault(
        'forbidden',
        'This form was sent from another website. Please open the page here and send it again.',
      )
  })
}
