import type { HttpServer } from './http-types.ts'

/** Calls a public GET endpoint in-process, without a session, for pages that the server renders. */
export async function callPublicEndpoint(
  app: HttpServer,
  { path, publicUrl }: { path: string; publicUrl: string },
): Promise<string> {
  const headers = { host: new URL(publicUrl).host, accept: 'application/json' }
  const { statusCode, body } = await app.inject({ method: 'GET', url: path, headers })
  if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}`)
  return body
}
