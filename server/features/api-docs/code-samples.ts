import { accessOf } from '@keepsnap/contract/endpoint.ts'
import type { CodeSample } from '@keepsnap/contract/api-docs.ts'
import { exampleOf } from '@keepsnap/contract/examples.ts'
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

/** The variable of the environment with the key; undefined for a public call. */
function keyVariableOf({ endpoint }: PublicCall): string | undefined {
  const access = accessOf(endpoint)
  if (access.includes('public')) return undefined
  return access.includes('admin') ? 'KEEPSNAP_ADMIN_KEY' : 'KEEPSNAP_KEY'
}

/** The URL of the example, with the parts of its query that name a page. */
function sampleUrl({ endpoint }: PublicCall, origin: string): string {
  const { params = {}, query = {} } = exampleOf(endpoint)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const page = Object.entries(query).filter(([name]) => name === 'skip' || name === 'limit')
  const search = new URLSearchParams(page.map(([name, one]): [string, string] => [name, String(one)])).toString()
  return `${origin}${path}${search && `?${search}`}`
}

function curlSample(call: PublicCall, origin: string): string {
  const key = keyVariableOf(call)
  const url = sampleUrl(call, origin)
  const { file } = exampleOf(call.endpoint)
  const lines = [
    ...(key ? [`-H "X-API-Key: $${key}"`] : []),
    ...(file ? [`-F "file=@${file}"`] : []),
    url.includes('?') ? `"${url}"` : url,
  ]
  return `curl ${lines.join(' \\\n     ')}`
}

function typeScriptSample(call: PublicCall & { id: PublicCallId }, origin: string): string {
  const key = keyVariableOf(call)
  const { file } = exampleOf(call.endpoint)
  const options = [
    ...(file ? ['  method: "POST",', '  body: form,'] : []),
    ...(key ? [`  headers: { "X-API-Key": process.env.${key}! },`] : []),
  ]
  return [
    ...(file
      ? [
          'import { openAsBlob } from "node:fs";',
          '',
          'const form = new FormData();',
          `form.set("file", await openAsBlob("${file}"), "${file}");`,
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
