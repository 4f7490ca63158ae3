/** A term of ours that a developer would not search for, and what to write instead. */
export interface PrivateTerm {
  pattern: RegExp
  instead: string
}

/** A private term that a text uses. */
export interface FoundTerm {
  text: string
  instead: string
  /** Of its uses, from 1. */
  lines: number[]
}

/** Terms that this project used to use, and metaphors with more than one meaning. */
const privateTerms: readonly PrivateTerm[] = [
  { pattern: /\bhead[- ]?starts?\b|\bheadStarts?\b/i, instead: 'speculative processing' },
  { pattern: /\b(?:layAt|onLaid|laidOut)\b/, instead: 'linkTo, onInputReady, encodeIfd' },
  { pattern: /\bgiveBack\b/, instead: 'releaseBuffer' },
  { pattern: /\bcreateTurns\b/, instead: 'p-queue' },
  { pattern: /\bdoors?\b/i, instead: 'authenticator, public interface' },
  { pattern: /\bshel(?:f|ves)\b/i, instead: 'response cache, upload store' },
  { pattern: /\bwall(?:s|ed)?\b/i, instead: 'sandbox, restriction' },
  { pattern: /\bskim(?:s|med|ming)?\b/i, instead: 'decode at a fraction of the size' },
  { pattern: /\bcrews?\b/i, instead: 'worker group' },
  { pattern: /\bvigil\b/i, instead: 'watchdog' },
  { pattern: /\blikeness(?:es)?\b/i, instead: 'placeholder' },
  { pattern: /\bhumble[sd]?\b/i, instead: 'lowerPriority' },
  { pattern: /\bdeeds?\b/i, instead: 'action' },
  { pattern: /\bhouse\b/i, instead: 'server fixture, test app, program' },
  { pattern: /\b(?:RoomProvider|createRoom|useRoom)\b/, instead: 'session services' },
  { pattern: /\bunverifiedPerDay\b/, instead: 'unverifiedEmailsPerDay' },
  { pattern: /\bundefinedBytes\b/, instead: 'UNDEFINED' },
  { pattern: /\b[Tt]he sweep\b|\bsweep[A-Z]\w*/, instead: 'clean-up, delete expired ...' },
  { pattern: /(?:\b[Ll]|(?<=[a-z])L)etters?(?=\b|[A-Z])/, instead: 'email' },
  { pattern: /\be-mails?\b/i, instead: 'email' },
  { pattern: /\bwho(?:so)?ever\b/i, instead: 'the user, client or process that ...' },
  { pattern: /\b(?:spec|product|promises)(?:,| §)? sections?\b/i, instead: 'docs/behaviour.md section N' },
]

/** Phrases in which a term has its ordinary meaning. */
const ordinary = new RegExp(
  [
    String.raw`\b(?:upper|lower)case letters?\b`,
    String.raw`\b(?:first|last|each|every|capital|single|ASCII|accented) letters?\b`,
    String.raw`\bletters? (?:and|or) (?:digits?|numbers?)\b`,
    String.raw`\b(?:first-letter|letter-spacing|letterSpacing|newsletters?)\b`,
    String.raw`\bwall[- ]?(?:clock|time|seconds?)\b`,
    String.raw`\b(?:photo|picture) walls?\b`,
  ].join('|'),
  'gi',
)

/** The private terms that a text uses, each once. */
export function privateTermsIn(text: string): FoundTerm[] {
  const lines = text.split('\n').map((line) => line.replace(ordinary, ''))
  return privateTerms.flatMap(({ pattern, instead }) => {
    const uses = lines.flatMap((line, index) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [{ found, line: index + 1 }]
    })
    const [first] = uses
    return first ? [{ text: first.found, instead, lines: uses.map(({ line }) => line) }] : []
  })
}
