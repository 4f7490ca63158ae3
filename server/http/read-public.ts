import type { HttpServer } from './http-types.ts'

/** What a page that the server renders calls: it answers as over the network, without a session. */
export async function readPublic(
  app: HttpServer,
  { path, publicUrl }: { path: string; publicUrl: string },
): Promise<string> {
  const headers = { host: new URL(publicUrl).host, accept: 'application/json' }
  const { statusCode, body } = await app.inject({ method: 'GET', url: path, headers })
  if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`)
  return body
}
