import { paths } from '../../../../lib/paths.ts'
import type { LegalBlock, LegalContext, LegalSection, LegalText } from '../legal-text.ts'
import { type DeviceKey, deviceKeys, recordIds } from './inventory.ts'
import { deviceStorage, records } from './privacy-records-en.ts'

const places: Record<(typeof deviceKeys)[DeviceKey], string> = {
  browser: 'Local storage',
  database: 'IndexedDB',
  cookie: 'Cookie',
  tab: 'Session storage',
}

const who: LegalSection = {
  id: 'who',
  title: 'Who we are',
  blocks: () => [
    'This site is run by the company below (“we”). It is the controller for accounts, payments, guests’ reports and this website.',
    { operator: { name: 'Company', address: 'Address', vat: 'VAT number', email: 'Email' } },
    '**Photos and guests.** The person who uploads a photo (“the owner”: a photographer, a venue, a host) decides why it is taken and who gets it. For photos, and for the addresses of guests who ask for one, the owner is the controller and we are the processor: we store and send them on the owner’s behalf, as the [General Conditions](' +
      paths.terms +
      ') say. You may always write to us; we pass on to the owner what only the owner can decide.',
    'We have no data protection officer, because the law does not ask for one here. Questions about your data reach us at the address above.',
  ],
}

const what: LegalSection = {
  id: 'what',
  title: 'What we keep, why and how long',
  blocks: (context) => {
    const rows = records(context)
    return [
      'Each row says what is kept, why and on which legal basis of the GDPR, and for how long. You give these data yourself, or they arise when the service is used; we buy no data and take none from elsewhere. Without an email address and a password there is no account; without an address we cannot send a photo. Everything else is up to you.',
      {
        table: {
          caption: 'What we keep, why and how long',
          head: ['What', 'Why', 'How long'],
          rows: recordIds.map((id) => rows[id]),
        },
      },
      'Photos are not searched for faces. No decision about a person is made by a machine, and no profile of anybody is made.',
      'An account that an operator has closed can no longer be used, and its photos cannot be opened by others. Nothing is deleted by that; you can ask us for your data, or to delete them.',
    ]
  },
}

const guests: LegalSection = {
  id: 'guests',
  title: 'If you are a guest',
  blocks: ({ values: v }) => [
    '**You need no account** to open a photo. We count that a photo was opened, not who opened it. Guest pages store nothing on your device.',
    `**If you leave your email address**, it is used to send you that photo, nothing else: no news, no list for others. The owner of the photo sees your address beside the photo, and can download this list. The email has a link that works for ${v.grantHours} hours, and the photo itself if it is smaller than ${v.attachMb} MB. At most ${v.emailsPerHour} such emails in an hour and ${v.emailsPerDay} in a day go to one address. After ${v.requestDays} days the address is deleted here.`,
    '**Somebody else typed your address?** Each email has a link to stop all emails with photos from this site, from every owner. You can take that back with the same link. It also withdraws your consent; what was sent until then stays lawful.',
    `**You are in a photo and do not want that?** Choose “Report this photo” on its page and say why. The owner is told at once, can hide the photo for everybody, and does not learn who reported it. We see reported photos too, and hide them where the law or the General Conditions ask for it. If you have no link to the photo, write to us.`,
    '**Children.** Accounts are for adults, or with the permission of a parent. A photo that shows a child can be reported by anybody, with a reason of its own; parents can also write to us.',
  ],
}

const device: LegalSection = {
  id: 'device',
  title: 'Cookies and storage on your device',
  blocks: (context) => [
    'What the pages need to work is stored on your device without asking, as the law allows. It stays there: only the session’s token and the language are sent to us.',
    {
      table: {
        caption: 'What is stored on your device',
        head: ['Name', 'Purpose', 'Until'],
        rows: Object.entries(deviceKeys).map(([key, place]) => [
          `${key} (${places[place]})`,
          ...deviceStorage(context)[key as DeviceKey], // the keys of the record's type
        ]),
      },
    },
    ...analytics(context.site),
  ],
}

const analytics = ({ analytics: provider, storage_host: store }: LegalContext['site']): LegalBlock[] => {
  const elsewhere = store === null ? '' : ', except photos from the store that [section](#others) names'
  if (provider === null)
    return [
      `**Analytics.** This site has no analytics: no program that measures visits is loaded, whatever you choose in the Cookie Notice. Pages load nothing from other companies${elsewhere}.`,
    ]
  const flag =
    provider.provider === 'plausible'
      ? '; when it is paused, the mark plausible_ignore is in local storage for a moment'
      : ''
  const [name, more] =
    provider.provider === 'matomo' ? ['Matomo', ', the size of your screen and your local time'] : ['Plausible', '']
  return [
    `**Analytics, only with your consent.** If you allow Analytics in the Cookie Notice, the program ${name} is loaded from ${provider.host}. It is told which page you open (without parameters and ids), from which website you came${more}, and what every request tells: IP address, browser and language. We see from it how many people read which page. It sets no cookies${flag}. Before you agree, nothing is loaded from there. You can take your consent back with the same ease, with the button for cookies at the bottom of the pages; the program is removed then. Guest pages and big screens have no analytics. Pages load nothing else from other companies${elsewhere}.`,
  ]
}

const others: LegalSection = {
  id: 'others',
  title: 'Who else gets data',
  blocks: ({ site, values: v }) => [
    'We sell no data and show no advertising. Data go to:',
    {
      list: [
        '**Owners of photos**: the address, the photo and the time of a request for it, and reports without your name.',
        '**People who have a code or a link** of a photo see that photo, as its owner wants it.',
        '**The company that hosts our server**, if it is not our own: everything that is stored, to run the machines.',
        site.storage_host === null
          ? '**Photos** are files on that server.'
          : `**The store of photos** at ${site.storage_host}: photos, thumbnails, logos and exports. Your browser fetches photos from there, with an address that works for ${v.presignedSeconds} seconds, so the store sees your IP address.`,
        site.emails === 'smtp'
          ? '**Our mail provider and that of the recipient**: the emails that we send.'
          : '**Emails** are not sent at present: they are kept as files on our server, until they are deleted as the table in [section](#what) says.',
        {
          stripe:
            '**Stripe**, our payment provider (for Europe: Stripe Payments Europe, Ltd., Ireland): your email address, the number of your account, and what you type into its payment page. Stripe is a controller of its own for what it must check and keep, and may also process data in the United States, under the EU-US Data Privacy Framework and standard contractual clauses. [Stripe’s privacy policy](https://stripe.com/privacy).',
          demo: '**Payments** are a demonstration here: no money moves, and no data go to a payment provider.',
          off: '**Payments**: plans are not sold here, so no data go to a payment provider.',
        }[site.payments],
        ...(site.analytics === null
          ? []
          : [`**${site.analytics.host}**, where visits are counted: what [section](#device) says, if you agreed.`]),
        '**Programs that an owner connects** with an API key or a webhook: that owner’s photos, file names and times; never an address of a guest by webhook.',
        '**Authorities and courts**, where a law obliges us.',
      ],
    },
    'Companies that work for us do so under a contract and on our instructions. Where data leave the European Economic Area, it is only with a safeguard that the GDPR knows; ask us which.',
  ],
}

const safety: LegalSection = {
  id: 'safety',
  title: 'How data are protected',
  blocks: () => [
    'Passwords, session tokens, API keys and links are stored as hashes, and secrets of webhooks are encrypted. Codes and ids are random and long. The email setting and the choice to hide a photo close every path to it at once. Image files are opened in a closed-off process. What operators do with accounts is written down (see the table above). If something goes wrong with your data and that is a risk to you, we tell you and the authority, as the law asks.',
  ],
}

const rights: LegalSection = {
  id: 'rights',
  title: 'Your rights',
  blocks: ({ values: v }) => [
    'You can, free of charge:',
    {
      list: [
        `**See and take along** your data: “Export my data” in [Settings](${paths.settings}) makes one file with everything; its link works for ${v.exportDays} days.`,
        `**Correct** them: in [Settings](${paths.settings}).`,
        `**Delete** them: photo by photo, or everything with “Delete my account” in [Settings](${paths.settings}). The account, its photos and its requests are gone at once; a job then removes the files.`,
        `**Withdraw consent**: emails with news and offers in [Settings](${paths.settings}) (none are sent at present), emails with photos by the link in each of them.`,
        '**Object** to what we do for a legitimate interest, or ask us to **restrict** it: write to us and say why.',
      ],
    },
    {
      contact: 'operator',
      before: 'Guests and everybody else write to',
      after:
        'We answer within a month. We may ask for something that shows that the data are yours, such as an email from that address.',
    },
    '**Complaints.** You can complain to the Belgian Data Protection Authority (Gegevensbeschermingsautoriteit / Autorité de protection des données), Drukpersstraat 35 / Rue de la Presse 35, 1000 Brussels, [www.dataprotectionauthority.be](https://www.dataprotectionauthority.be), contact@apd-gba.be, or to the authority of the country where you live or work. You can also go to court.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Changes',
  blocks: ({ values: v }) => [
    `A new version is published on this page at least ${v.noticeDays} days before it applies, with what changes; sooner only if the law asks for it. Earlier versions stay readable below.`,
  ],
}

/** The Privacy Policy in English. */
export const text: LegalText = {
  summary: ({ values: v }) => [
    'We keep what is needed to bring a photo to the person in it, and no more.',
    `A guest’s address is used for the photo that was asked for, and deleted after ${v.requestDays} days.`,
    'No advertising, no sale of data, no face recognition, no profile of anybody.',
    'You can take all your data along or delete them yourself, in Settings.',
  ],
  sections: [who, what, guests, device, others, safety, rights, changes],
}
