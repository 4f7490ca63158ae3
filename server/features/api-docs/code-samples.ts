import { accessOf } from '@keepsnap/contract/endpoint.ts'
import type { CodeSample } from '@keepsnap/contract/api-docs.ts'
import type { PublicCall, PublicCallId } from '@keepsnap/contract/public-api.ts'

/** What the TypeScript samples call a reply, or its fields. */
const replyNames: Record<PublicCallId, string> = {
  uploadPhoto: 'photo',
  listPhotos: '{ photos, total }',
  getLatestPhoto: 'photo',
  getUser: 'user',
  getHealth: '{ status }',
  listUsers: '{ users, total }',
  getStats: 'stats',
  getUserDetail: 'user',
}

const sampleFile = 'IMG_4374.jpg'

/** The variable of the environment with the key; undefined for a public call. */
function keyVariableOf({ endpoint }: PublicCall): string | undefined {
  const access = accessOf(endpoint)
  if (access.includes('public')) return undefined
  return access.includes('admin') ? 'KEEPSNAP_ADMIN_KEY' : 'KEEPSNAP_KEY'
}

/** The URL with the example of each path parameter, and with the defaults of the query where they name a page. */
function sampleUrl({ endpoint, parameters = {} }: PublicCall, origin: string): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(parameters[name]?.example))
  const page = Object.entries(parameters).filter(([name]) => name === 'skip' || name === 'limit')
  const query = new URLSearchParams(page.map(([name, one]): [string, string] => [name, String(one.default)])).toString()
  return `${origin}${path}${query && `?${query}`}`
}

function curlSample(call: PublicCall, origin: string): string {
  const key = keyVariableOf(call)
  const url = sampleUrl(call, origin)
  const lines = [
    ...(key ? [`-H "X-API-Key: $${key}"`] : []),
    ...(call.endpoint.upload ? [`-F "file=@${sampleFile}"`] : []),
    url.includes('?') ? `"${url}"` : url,
  ]
  return `curl ${lines.join(' \\\n     ')}`
}

function typeScriptSample(call: PublicCall & { id: PublicCallId }, origin: string): string {
  const key = keyVariableOf(call)
  const isUpload = call.endpoint.upload !== undefined
  const options = [
    ...(isUpload ? ['  method: "POST",', '  body: form,'] : []),
    ...(key ? [`  headers: { "X-API-Key": process.env.${key}! },`] : []),
  ]
  return [
    ...(isUpload
      ? [
          'import { openAsBlob } from "node:fs";',
          '',
          'const form = new FormData();',
          `form.set("file", await openAsBlob("${sampleFile}"), "${sampleFile}");`,
          '',
        ]
      : []),
    `const response = await fetch("${sampleUrl(call, origin)}"${options.length ? ', {' : ');'}`,
    ...(options.length ? [...options, '});'] : []),
    'if (!response.ok) throw new Error(await response.text());',
    `const ${replyNames[call.id]} = await response.json();`,
  ].join('\n')
}

/** A call as curl and as TypeScript, ready to run with a key in the environment. */
export const codeSamples = (call: PublicCall & { id: PublicCallId }, origin: string): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: curlSample(call, origin) },
  { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(call, origin) },
]
