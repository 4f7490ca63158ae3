import type { Dependencies } from '../dependencies.ts'
import type { PasswordHashing } from '../features/accounts/passwords.ts'
import type { HttpServer } from '../http/http-types.ts'

/** The maximum number of photos of each evening, and the pixels of their long side. */
export interface DemoSize {
  photosPerEvening: number
  longSide: number
}

/** What the steps of filling an instance share. */
export interface FillContext {
  deps: Dependencies
  /** The API of this process, which is called in memory. */
  http: HttpServer
  publicUrl: string
  /** Resolves when all uploaded photos have been processed. */
  waitUntilProcessed: () => Promise<void>
  /** Aborts when the operator stops the command. */
  signal: AbortSignal
  /** Prints progress for the operator. */
  reportProgress: (progress: string) => void
  /** Fewer and smaller photos, for tests. */
  size?: DemoSize
  passwordHashing?: Partial<PasswordHashing>
}

interface ApiCall {
  method: 'POST' | 'PUT'
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

/** Makes one call as a signed-in user; throws unless its status is 2xx. The caller states the type of the reply, as in the contract. */
export async function callApi<Reply>(
  { http, publicUrl }: FillContext,
  token: string,
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
