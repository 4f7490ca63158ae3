import { parseArgs } from 'node:util'

export interface Options {
  /** The origin of Keepsnap, and a path below it if a proxy adds one. */
  url: string
  apiKey: string
  /** Files and folders. */
  paths: string[]
  /** The event that the photos belong to, or `none`; undefined for that of the key, or the current one. */
  event: string | undefined
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
    event: values.event,
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
        event: { type: 'string' },
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

/** Every sentence that keepsnap-upload prints. */
export const texts = {
  help: `Uploads photos to Keepsnap, each photo once and in the order in which they were saved.

  keepsnap-upload [options] PATH...

A folder is watched until you press Ctrl-C: a photo is uploaded when its size and time of change have been the same for 2
seconds. If you name files, the command exits when they are uploaded. Nothing is moved, changed or deleted. Uploaded
photos are recognized by their content, so the command can be stopped and restarted at any time; it also survives a
power failure.

  --url URL         the URL of Keepsnap, such as https://photos.example.com
  --key KEY         an API key of your account (Settings, API access); other users of this machine can see this
                    option, so KEEPSNAP_API_KEY is safer
  --event ID        the event that the photos belong to, or none; otherwise that of the key, or the current event
  --once            upload what is in the folders now, then exit
  -r, --recursive   also watch subfolders
  --no-qr           only print links, no QR codes
  --state FILE      the state file, which records what was uploaded; default: one file for each account
  -h, --help        show this text

Environment: KEEPSNAP_URL and KEEPSNAP_API_KEY instead of --url and --key.

Exit codes: 0 everything was uploaded or you stopped the command, 1 some files were not uploaded, 2 the command line is
wrong, 3 the key or the event is not accepted, or the account has no API access.
`,
  usage: (message: string) => `${message}\n--help shows all options.`,
  noPaths: 'Name a folder to watch, or files to upload.',
  noUrl: 'The URL of Keepsnap is missing: set KEEPSNAP_URL, or use --url https://photos.example.com',
  badUrl: (text: string) => `${text} is not a Keepsnap URL. Use a URL such as https://photos.example.com`,
  noKey: 'An API key is needed: create one in Settings, API access, and set KEEPSNAP_API_KEY.',
  badKey: 'This is not an API key: it starts with ksnap_. Copy it from Settings, API access, when you create it.',
  adminKey: 'This is an admin key. Uploading needs an API key of the account, which starts with ksnap_.',
  noSuchPath: (path: string) => `${path} does not exist. Check the path.`,
  unreadablePath: (path: string, reason: string) =>
    `${path} cannot be read (${reason}). Check the path and its permissions.`,

  watching: (folders: string) => `Watching ${folders}. Press Ctrl-C to stop.`,
  account: (name: string, url: string) => `Uploading to the account ${name} at ${url}.`,
  stopped: 'Stopped. Remaining photos will be uploaded at the next start.',
  finished: (uploaded: number, known: number, failed: number) =>
    [
      `${uploaded} uploaded`,
      ...(known > 0 ? [`${known} already uploaded`] : []),
      ...(failed > 0 ? [`${failed} not uploaded`] : []),
    ].join(', ') + '.',

  sending: (name: string, percent: number, waiting: number) =>
    `${name}: ${percent} %${waiting > 0 ? `, ${waiting} waiting` : ''}`,
  uploaded: (name: string, link: string) => `${name}: ${link}`,
  uploadedBefore: (name: string, earlier: string) =>
    name === earlier ? `${name}: already uploaded.` : `${name}: already uploaded as ${earlier}.`,
  refusedBefore: (name: string) => `${name}: Keepsnap has already refused this file. It is not sent again.`,
  deletedSince: (name: string) => `${name}: already uploaded, then deleted in Keepsnap. It is not uploaded again.`,
  skipped: (name: string, reason: string) => `${name}: skipped. ${reason}`,
  notAPhoto: 'This is not a supported photo format (JPEG, PNG, GIF, WebP, AVIF, TIFF, HEIC).',
  empty: 'The file is empty.',
  moreNotPhotos: 'More files that are not photos were skipped without a message.',
  otherFile:
    'Keepsnap has stored another file as this one: it was changed while it was uploaded. Upload it in the web app, or start this command again tomorrow.',
  tooLargeForProxy: 'A proxy between this machine and Keepsnap refuses files of this size.',
  fileBusy: (name: string, reason: string) => `${name}: cannot be read (${reason}). Retrying.`,
  fileGone: (name: string) => `${name}: not uploaded. It is no longer there, or cannot be read.`,
  moreFilesGone: (count: number) => `${count} more files are no longer there, or cannot be read.`,

  waiting: (reason: string, time: string) => `${reason.replace(/\.?$/, '.')} Retrying at ${time}.`,
  wrongKey:
    'Keepsnap does not accept this API key: it is wrong, expired or was deleted. Create a new one in Settings, API access.',
  noApiAccess: 'The plan of this account has no API access. It is part of Pro Yearly; see Plans in Keepsnap.',
  limitReached: (detail: string) => `${detail} The photos stay here and are uploaded once there is space.`,
  noKeepsnap: (url: string) => `No Keepsnap API found at ${url}. Check the URL.`,
  folderGone: (folder: string, reason: string) => `${folder} cannot be read (${reason}).`,
  retryingFolder: 'Retrying until it is available again.',
  folderBack: (folder: string) => `${folder} can be read again.`,
  tooManyFiles: (folder: string, most: number) =>
    `${folder} has more than ${most} files; only these are checked. Move old photos to another folder.`,

  stateInUse: (file: string) =>
    `Another keepsnap-upload is already running for this account (${file}). Name all folders in one command, or use a separate state file with --state.`,
  stateUnreadable: (file: string, reason: string) =>
    `The state file ${file} cannot be read (${reason}). Repair or delete it; without it, photos uploaded more than a day ago will be uploaded again.`,
  stateOfAnother: (file: string) =>
    `The state file ${file} belongs to another account or server. Use another file with --state.`,
  stateUnwritable: (file: string, reason: string) =>
    `The state file ${file} cannot be written (${reason}). Free some space or change its permissions; uploading stops until then.`,
} as const
