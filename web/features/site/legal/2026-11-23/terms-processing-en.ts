import { paths } from '../../../../lib/paths.ts'
import type { LegalSection } from '../legal-text.ts'

const personalData: LegalSection = {
  id: 'data',
  title: 'Personal data',
  blocks: () => [
    `The [Privacy Policy](${paths.privacy}) says what we do with personal data. For photos, and the addresses of guests who ask for one, you are the controller and we are your processor, if the GDPR applies to you. Then this section is the contract that its article 28 asks for:`,
    {
      list: [
        'We process these data only to store, show and send photos as you set it, for as long as they are stored here, and on your instructions: those are your settings and what you write to us. If we think that one breaks the law, we tell you.',
        'They concern the people in photos and your guests: pictures, email addresses, times. You upload no photos for which the law asks for more protection than this service gives.',
        'Who works for us with these data is bound to secrecy. The Privacy Policy says how we protect them.',
        'You agree that we use the companies of the kinds that the Privacy Policy names. They are bound as we are, and we answer for them. A new one is a change of the Privacy Policy, which we announce; if you object, you can end the contract before it applies.',
        'We help you to answer people who use their rights, and with a data protection impact assessment where you need one. We tell you without delay when something has happened to the data.',
        'You can export and delete the data at any time. When the account ends, they are deleted.',
        'We give you what you need to show that this is kept, and allow checks, after notice and at a time that does not disturb others.',
      ],
    },
  ],
}

const programs: LegalSection = {
  id: 'api',
  title: 'API and keys',
  blocks: ({ values: v }) => [
    `With Pro Yearly, programs of yours can upload and read photos (see the [documentation](${paths.apiDocs})) and be told of events by webhook. Keys are like passwords: keep them secret and delete one that somebody else may have. You can have ${v.apiKeys} of them. Each key may make ${v.apiCallsPerMinute} calls a minute. You answer for your programs and for the servers that your webhooks reach. Calls that we document are changed only with notice as in [section](#changes), unless security asks for haste.`,
  ],
}

const availability: LegalSection = {
  id: 'availability',
  title: 'Availability',
  blocks: ({ values: v }) => [
    `We aim at ${v.uptimePercent}% uptime: that in so many percent of the minutes of ${v.uptimeDays} days, pages and codes can be reached. The program measures it. This is a target: missing it gives no right to a credit or compensation. What the law gives you when a digital service is not as agreed (for consumers: articles 1701/1 and following of the old Belgian Civil Code) stays.`,
    'Maintenance, faults of networks and of others can interrupt the service. Keep your own copy of photos that matter to you: this is a way to hand them out, not an archive.',
  ],
}

const liability: LegalSection = {
  id: 'liability',
  title: 'Liability',
  blocks: () => [
    '**Always, and without limit**: we answer for damage that we cause on purpose or by gross negligence, for injury and death, and wherever the law does not allow a limit. The rights that the law gives consumers are not changed by these conditions.',
    '**Towards businesses**, beyond that: we answer for direct damage from a breach of this contract, up to the amount that you paid for the twelve months before it, and not for lost profit, lost customers or lost data that you could have kept a copy of, as far as the law allows.',
    'Nobody answers for what is beyond their control (force majeure).',
    'If others make a claim against us because of what you uploaded or did against [section](#content), you make good the damage that this causes us, as far as it is your fault.',
  ],
}

const law: LegalSection = {
  id: 'law',
  title: 'Law, courts and complaints',
  blocks: () => [
    'Belgian law applies. A consumer who lives in another country of the European Union keeps the protection that the law there gives and that cannot be agreed away.',
    'The courts that Belgian law gives decide. A consumer can always go to the court of the place where they live.',
    {
      contact: 'support',
      before: 'Tell us first, so that we can put it right:',
      after:
        'Consumers can also go to the Belgian Consumer Mediation Service (Consumentenombudsdienst / Service de Médiation pour le Consommateur), [consumerombudsman.be](https://consumerombudsman.be).',
    },
    'These conditions exist in Dutch and English; both count. If they differ, the one that is better for the consumer counts, otherwise the Dutch one. If a part of them is invalid, the rest stays.',
  ],
}

const changes: LegalSection = {
  id: 'changes',
  title: 'Changes',
  blocks: ({ values: v }) => [
    `We may change these conditions for a good reason, such as a new law, a new function, or costs that changed. A new version is published on this page at least ${v.noticeDays} days before it applies, with what changes. If it changes something to your disadvantage, we also write to the email address of your account. You can end the contract before it applies, and then get back the share of the price for the time after it. What you bought before stays as it was until the paid period ends. Earlier versions stay readable below.`,
  ],
}

/** The sections about data, programs, availability, liability and law. */
export const processing = [personalData, programs, availability, liability, law, changes] as const
