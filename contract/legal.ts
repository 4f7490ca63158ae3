/**
 * The versions of the Privacy Policy and of the General Conditions that apply, by their dates; new accounts store that of the
 * conditions. The texts, also of versions that are announced, are in web/features/legal.
 */
export const legalVersions = { privacy: '2026-11-23', terms: '2026-11-23' } as const
/** The documents with versions. */
export type LegalDocument = keyof typeof legalVersions
/** Their names. */
export const legalDocumentNames = ['privacy', 'terms'] as const satisfies readonly LegalDocument[]

/** `?version=2026-11-23` shows a version. */
export const versionParameter = 'version'

/** How long before it applies a new version is published. Where the texts promise an email about it, the operator sends it. */
export const legalNoticeDays = 30

/** The target of availability, in percent of the minutes of the last 30 days: a target, no guarantee with compensation. */
export const availabilityTarget = { percent: 99.9, days: 30 } as const
