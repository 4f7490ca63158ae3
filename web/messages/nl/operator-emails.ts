import type { operatorEmails as english } from '../en/operator-emails.ts'

export const operatorEmails: typeof english = {
  hidden: {
    subject: 'Een foto van je is verborgen voor gasten',
    preview: 'Waarom, en wat je kunt doen.',
    heading: 'Een van je foto’s is verborgen',
    lead: (filename, host, when) =>
      `De beheerder van ${host} heeft ${filename} op ${when} verborgen voor gasten. De codes, pagina’s en links in e-mails openen de foto niet meer.`,
    /** Where the operator wrote no message. */
    why: 'Een gast had de foto gemeld, en daarna is hij beoordeeld.',
    hint: 'In je galerij zie je de plaats en de reden, en kun je de foto verwijderen. Zolang hij verborgen is, kan niemand de foto zelf openen, jij ook niet. Denk je dat dit een vergissing is? Neem dan contact op.',
    button: 'Contact opnemen',
  },
  shown: {
    subject: 'Je foto mag weer getoond worden',
    preview: 'Je vindt hem in je galerij.',
    heading: 'Je foto mag weer getoond worden',
    lead: (filename, host, when) =>
      `Sinds ${when} verbergt de beheerder van ${host} ${filename} niet meer. De codes, pagina’s en links in e-mails werken weer.`,
    leadStillHidden: (filename, host, when) => `Sinds ${when} verbergt de beheerder van ${host} ${filename} niet meer.`,
    stillHidden:
      'Gasten kunnen hem nog niet openen, omdat je hem zelf verborgen had. In je galerij kun je hem weer tonen.',
    button: 'Foto openen',
  },
  message: 'Bericht van de beheerder',
  reason: (host) => `Je krijgt deze e-mail omdat het over een foto van je account op ${host} gaat.`,
  /** To the operators, about a payment that its holder disputes at the bank. */
  disputed: {
    subject: (amount) => `Een betaling van ${amount} wordt betwist`,
    preview: 'Waar het om gaat, en wat je kunt doen.',
    heading: 'Een betaling wordt betwist',
    lead: (account, amount, when) =>
      `De houder van de kaart of rekening waarmee ${amount} voor ${account} betaald is, heeft die betaling op ${when} bij de bank betwist. De bank neemt het geld terug tot daarover beslist is.`,
    why: (reason) => `De reden die de betaaldienst opgeeft: ${reason}.`,
    respond: (when) => `Tot ${when} kun je bewijs indienen op de pagina van de betaaldienst.`,
    ends: 'Het abonnement loopt voorlopig door. Als de betwisting slaagt, wordt het abonnement opgezegd zonder terugbetaling en stopt het.',
    button: 'Account openen',
    reason: (host) => `Je krijgt deze e-mail omdat je ${host} beheert.`,
  },
}
