/** Every sentence that keepsnap-upload prints. */
export const texts = {
  help: `Uploads photos to Keepsnap, each one once and in the order in which they were taken.

  keepsnap-upload [options] PATH...

A folder is watched until you press Ctrl-C: a photo is uploaded once its size has not changed for 2 seconds. Files are
uploaded, and the command ends. Nothing is moved, changed or deleted. What was uploaded is remembered by content, so the
command can be stopped and started again at any time, also by a power failure.

  --url URL         where Keepsnap is, such as https://photos.example.com
  --key KEY         an API key of your account (Settings, API access); other users of this machine can see it here,
                    so KEEPSNAP_API_KEY is better
  --once            upload what is in the folders now, then end
  -r, --recursive   also the folders inside of the folders
  --no-qr           only print links, no QR codes
  --state FILE      where to remember what was uploaded; one file for each account if not given
  -h, --help        show this text

Environment: KEEPSNAP_URL and KEEPSNAP_API_KEY instead of --url and --key.

Exit codes: 0 everything was uploaded or the watching was ended, 1 some files were not uploaded, 2 the command line is
wrong, 3 the key is not accepted or its account has no API access.
`,
  usage: (message: string) => `${message}\n--help shows all options.`,
  noPaths: 'Name a folder to watch, or files to upload.',
  noUrl: 'Say where Keepsnap is: set KEEPSNAP_URL, or use --url https://photos.example.com',
  badUrl: (text: string) => `${text} is not the URL of a Keepsnap. It looks like https://photos.example.com`,
  noKey: 'An API key is needed: create one in Settings, API access, and set KEEPSNAP_API_KEY.',
  badKey: 'This is not an API key: it starts with ksnap_. Copy it from Settings, API access, when you create it.',
  adminKey: 'This is an admin key. Uploading needs an API key of the account, which starts with ksnap_.',
  noSuchPath: (path: string) => `${path} does not exist. Check the path.`,
  unreadablePath: (path: string, reason: string) =>
    `${path} cannot be read (${reason}). Check the path and its permissions.`,

  watching: (folders: string) => `Watching ${folders}. Ctrl-C ends it.`,
  account: (name: string, url: string) => `Uploading to the account ${name} at ${url}.`,
  stopped: 'Ended. What is not uploaded yet is uploaded at the next start.',
  finished: (uploaded: number, known: number, failed: number) =>
    [
      `${uploaded} uploaded`,
      ...(known > 0 ? [`${known} uploaded before`] : []),
      ...(failed > 0 ? [`${failed} not uploaded`] : []),
    ].join(', ') + '.',

  sending: (name: string, percent: number, waiting: number) =>
    `${name}: ${percent} %${waiting > 0 ? `, ${waiting} waiting` : ''}`,
  uploaded: (name: string, link: string) => `${name}: ${link}`,
  uploadedBefore: (name: string, earlier: string) =>
    name === earlier ? `${name}: uploaded before.` : `${name}: uploaded before, as ${earlier}.`,
  refusedBefore: (name: string) => `${name}: Keepsnap has refused this file before. It is not sent again.`,
  deletedSince: (name: string) => `${name}: uploaded before, and deleted in Keepsnap since. It is not uploaded again.`,
  skipped: (name: string, reason: string) => `${name}: skipped. ${reason}`,
  notAPhoto: 'This is not a photo that Keepsnap takes (JPEG, PNG, GIF, WebP, AVIF, TIFF, HEIC).',
  empty: 'The file is empty.',
  moreNotPhotos: 'There are more files that are not photos; they are not named.',
  tooLargeForProxy: 'A proxy between this machine and Keepsnap refuses files of this size.',
  fileBusy: (name: string, reason: string) => `${name}: cannot be read (${reason}). Trying again.`,

  waiting: (reason: string, time: string) => `${reason.replace(/\.?$/, '.')} Trying again at ${time}.`,
  wrongKey:
    'Keepsnap does not accept this API key: it is wrong, expired or was deleted. Create a new one in Settings, API access.',
  noApiAccess: 'The plan of this account has no API access. It is part of Pro Yearly; see Plans in Keepsnap.',
  limitReached: (detail: string) => `${detail} The photos stay here and are uploaded once there is space.`,
  noKeepsnap: (url: string) => `There is no API of Keepsnap at ${url}. Check the URL.`,
  folderGone: (folder: string, reason: string) =>
    `${folder} cannot be read (${reason}). Looking again until it is back.`,
  folderBack: (folder: string) => `${folder} can be read again.`,
  tooManyFiles: (folder: string, most: number) =>
    `${folder} has more than ${most} files; only these are looked at. Move old photos to another folder.`,

  stateInUse: (file: string) =>
    `Another keepsnap-upload uploads to this account (${file}). Name all folders in one command, or give this one a file of its own with --state.`,
  stateUnreadable: (file: string, reason: string) =>
    `${file}, which remembers what was uploaded, cannot be read (${reason}). Mend or remove it; without it, photos that were uploaded more than a day ago are uploaded again.`,
  stateOfAnother: (file: string) =>
    `${file} remembers the uploads of another account or another Keepsnap. Use another file with --state.`,
  stateUnwritable: (file: string, reason: string) =>
    `${file}, which remembers what was uploaded, cannot be written (${reason}). Make room or change its permissions; uploading stops until then.`,
} as const
