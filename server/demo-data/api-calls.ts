import type { HttpServer } from '../http/http-types.ts'

/** Calls this process's API in memory, without a listening socket, as a signed-in user. */
export interface ApiCaller {
  http: HttpServer
  publicUrl: string
  token: string
}

interface ApiCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  body?: object
  /** A file to upload, instead of a body. */
  file?: { bytes: Buffer; name: string; type: string }
}

/** A multipart form with one file, as browsers send it. */
async function formOf({ bytes, name, type }: NonNullable<ApiCall['file']>) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name, { type }))
  const response = new Response(form)
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }
}

/** Makes one call; throws unless its status is 2xx. The caller states the type of the reply, as in the contract. */
export async function callApi<Reply>(
  { http, publicUrl, token }: ApiCaller,
  { method, url, body, file }: ApiCall,
): Promise<Reply> {
  const form = file && (await formOf(file))
  const answer = await http.inject({
    method,
    url,
    headers: { host: new URL(publicUrl).host, authorization: `Bearer ${token}`, ...form?.headers },
    ...(form ? { payload: form.payload } : body && { payload: body }),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
  return (answer.body === '' ? undefined : answer.json()) as Reply // see above
}
