import type { SupportFields, SupportProblems } from './support.ts'

/** The page that answers the contact form of the support page without JavaScript. */
export interface SupportFormAnswer {
  page: 'support'
  /** `bad`: fields are refused. `failed`: the message was refused; `problem` says why, as a sentence. */
  state: 'bad' | 'failed' | 'sent'
  /** What was entered. */
  fields: SupportFields
  problems: SupportProblems
  problem: string | null
}

/** A message to support, for those who answer it. They read English. */
export interface SupportMessageEmail {
  kind: 'support-message'
  name: string
  /** The address that was typed. */
  address: string
  subject: string
  /** May have several lines. */
  message: string
  /** Whether the plan of the sender has priority support. */
  priority: boolean
  /** Whether the honeypot was filled in. */
  suspected: boolean
  /** URL of the inbox. */
  url: string
}
/** The confirmation that a message to support has arrived. It has no text of the sender: anyone can type any address. */
export interface SupportReceivedEmail {
  kind: 'support-received'
  /** When it arrived, ISO 8601 in UTC. */
  at: string
}
/** Either of the emails that a message to support triggers. */
export type SupportEmail = SupportMessageEmail | SupportReceivedEmail
