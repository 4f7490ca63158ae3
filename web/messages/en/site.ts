import { productName } from '@keepsnap/contract/site.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'

/** The page About. */
export const about = {
  title: 'About',
  description: `What ${productName} is for, how it works and who runs it.`,
  heading: 'The best photo of the night should not stay in the camera',
  lead: `${productName} brings a photographer’s picture to the person in it, while the music is still playing: on the big screen, with a code beside it, and on their own phone a moment later.`,
  print: { line: 'Dinner is served', code: 'QR code of this sample picture' },
  mission: {
    heading: 'Our mission',
    paragraphs: [
      'Weeks after a party, a link arrives with hundreds of pictures, and few people look for their own. We think a photo is worth most in the hour it was taken, to the people who are in it.',
      'So we made one thing and keep it simple: a photo, its code, and nothing between the guest and the picture. No app and no account. When a photographer asks for an email address, it is used to send that photo and nothing else.',
    ],
  },
  how: {
    heading: 'How it works',
    take: {
      title: 'Take it',
      text: 'The photo is uploaded from a camera, a booth or a phone.',
    },
    show: {
      title: 'Show it',
      text: 'As soon as it is ready, it fills the big screen, with its own code beside it.',
    },
    keep: {
      title: 'Keep it',
      text: 'Guests scan the code and save the full picture. Or they leave an email address and find it in their inbox.',
    },
    scan: 'Scan to keep',
    save: 'Save photo',
  },
  team: {
    heading: 'The team',
    operator: 'Operator of this site',
    sample: 'These are sample values: the operator of this site has not entered a name and address yet.',
    failed: 'We couldn’t load who runs this site.',
    open: `${productName} is open-source software under the GNU Affero General Public License: anyone may read, change and run it.`,
  },
  end: { heading: 'Bring it to your next event', start: 'Get Started', upload: 'Upload Photos', support: 'Talk to us' },
}

/** The notice about cookies, and its settings. */
export const cookies = {
  title: 'Cookie Notice',
  essential: `${productName} keeps your sign-in, your display settings and this choice on your device. It cannot work without them.`,
  permission: 'With your permission we also count visits.',
  noAnalytics: 'Analytics is not set up on this site, so nothing is counted either way.',
  more: 'Privacy Policy',
  customize: 'Customize',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
  choices: 'Your choices',
  essentialName: 'Essential',
  essentialHint: 'Always on. Your sign-in, your display settings and this choice.',
  analyticsName: 'Analytics',
  analyticsHint: (provider: string, host: string) =>
    `Counts visits to pages with ${provider} at ${host}, without cookies and without your name or photos. It shows us which pages are hard to find. No advertising.`,
  analyticsUnknown: 'Counts visits to pages, if analytics is set up on this site. No advertising.',
  save: 'Save Preferences',
  close: 'Close',
}

/** The home page. */
export const home = {
  title: 'A QR code for every photo',
  heading: 'A photo on the screen, one scan, and it’s theirs to keep.',
  lead: `${productName} shows every picture you take with its own QR code. Guests point their phone at it and get the photo in seconds. No app, no account.`,
  getStarted: 'Get Started',
  seeMore: 'See the big screen',
  welcome: 'Welcome',
  welcomeFirst: 'Welcome,',
  welcomeBack: 'Welcome back,',
  welcomeLead: 'Add a photo and its code appears on the screen a moment later.',
  firstPhotoLead: 'Your next step: add a photo. Its code is ready a moment later.',
  firstScreenLead: 'Your first photo is here. Your next step: open it on the big screen, where guests scan its code.',
  unconfirmed: 'Your email address isn’t confirmed yet.',
  unconfirmedAction: 'How to confirm it',
  uploadPhotos: 'Upload Photos',
  openLatest: 'Open the big screen',
  pauseExample: 'Pause the example',
  playExample: 'Play the example',
  scanLine: 'Scan to keep this photo',
  codeAlt: 'QR code of the example photo',
  tilesHeading: 'From shutter to pocket',
  tiles: {
    bigScreen: {
      title: 'A big screen that keeps up',
      text: 'The newest photo appears automatically, as large as the screen allows, with its code always in the same place.',
      line: 'Scan to keep',
    },
    pocket: {
      title: 'In their pocket in seconds',
      text: 'The code opens the photo with one big button that saves it to their phone.',
      button: 'Save photo',
    },
    mail: {
      title: 'Or sent by email',
      text: 'Ask for an email address first, if you like. You see every request and whether it was sent.',
      label: 'Your email address',
      button: 'Send Photo',
    },
    brand: {
      title: 'Your name on it',
      text: `Your logo in the corner, your background behind the screen. ${productName} stays out of the picture.`,
    },
    gallery: {
      title: 'The whole night in one place',
      text: 'Every photo, newest first, in a gallery that stays fast with thousands of them.',
    },
    booth: {
      title: 'Straight from the booth',
      text: 'Let the camera or booth upload for you, and keep track of your monthly quota.',
      usage: 'Photos this month',
      used: (photos: number, most: number) => `${photos} of ${most}`,
    },
  },
}

/** Around the texts of the Privacy Policy and the General Conditions, which are in web/features/site/legal. */
export const legal = {
  contents: 'On this page',
  short: 'In short',
  print: 'Print',
  current: (date: string) => `In force since ${date}`,
  earlier: (from: string, until: string) => `In force from ${from} until ${until}`,
  announced: (date: string) => `In force from ${date}`,
  notes: {
    sample: 'Sample text, not legal advice',
    sampleWhy: 'The company that runs this site has not entered its name and address yet.',
    earlier:
      'This is an earlier version, which no longer applies. Names, addresses and services in it are those of today’s settings of this site.',
    announced: 'This version does not apply yet.',
    unknown: 'There is no version of this date. This is the one that applies.',
    next: (date: string) => `A new version applies from ${date}.`,
    toCurrent: 'Show the version that applies',
    toNext: 'Show the new version',
  },
  versions: 'Versions',
  first: 'First version',
  loading: 'Loading the text',
  failed: 'The text couldn’t be loaded. Check your connection and try again.',
}

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

/** What search engines and link previews say about pages, and the system about the installed app. */
export const pageDescriptions = {
  app: 'Photo sharing with a QR code for every picture.',
  /** Beside the QR code of the picture in link previews. */
  previewLine: 'Scan to try it',
  home: `${productName} shows every photo you take on a big screen with its own QR code. Guests scan it and have the photo in seconds: no app, no account.`,
  pricing: `Start free with ${freePhotos} photos a month. Pro adds your own logo, usage analytics and priority support; ${plans.pro_yearly.name} adds API access. No setup fee, money back within ${refundDays} days.`,
  demoScreen: 'See what your guests see: the newest photo on the big screen, with a QR code that you can scan now.',
  login: 'Sign in to upload photos and show them with their QR codes.',
  register: `Create a free account with ${freePhotos} photos a month. Upload a photo, and guests scan its QR code to keep it.`,
  forgotPassword: 'Forgot your password? We email you a link to set a new one.',
  apiDocs: `Upload and list photos from your own program: every call of the ${productName} API, with examples in curl and TypeScript, limits, errors and webhooks.`,
  privacy: `Which data ${productName} stores about users and guests, why, for how long, and which rights you have.`,
  terms: `The conditions for using ${productName}: plans, payment, cancellation, your photos and our responsibilities.`,
}
