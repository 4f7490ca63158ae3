import { parseArgs } from 'node:util'
import { texts } from './texts.ts'

/** What the command was asked to do. */
export interface Options {
  /** The origin of Keepsnap, and a path below it if a proxy adds one. */
  url: string
  apiKey: string
  /** Files and folders. */
  paths: string[]
  /** End when everything that is there now has been uploaded, instead of watching. */
  once: boolean
  /** Folders inside of the folders, too. */
  recursive: boolean
  /** Draw QR codes, if the output is a terminal. */
  qr: boolean
  /** Undefined: a file for each account, in the user's folder for such data. */
  stateFile: string | undefined
}

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

/** The command line and its environment as options; null when help was asked for. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  if (positionals.length === 0) throw new UsageError(texts.noPaths)
  return {
    url: readUrl(values.url ?? env['KEEPSNAP_URL']),
    apiKey: readKey(values.key ?? env['KEEPSNAP_API_KEY']),
    paths: positionals,
    once: values.once ?? false,
    recursive: values.recursive ?? false,
    qr: !values['no-qr'],
    stateFile: values.state,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        once: { type: 'boolean' },
        recursive: { type: 'boolean', short: 'r' },
        'no-qr': { type: 'boolean' },
        state: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readUrl(text: string | undefined): string {
  if (!text) throw new UsageError(texts.noUrl)
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new UsageError(texts.badUrl(text))
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

function readKey(text: string | undefined): string {
  const key = text?.trim()
  if (!key) throw new UsageError(texts.noKey)
  if (key.startsWith('ksadm_')) throw new UsageError(texts.adminKey)
  // Anything else cannot be in a header, or is not a key: the server need not be asked.
  if (!/^ksnap_[\w-]+$/.test(key)) throw new UsageError(texts.badKey)
  return key
}
