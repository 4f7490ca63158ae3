import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { nameChars } from '@keepsnap/contract/form-rules.ts'
import type * as english from '../en/event-helpers.ts'

export const helpers: typeof english.helpers = {
  heading: 'Helpers',
  lead: 'Iemand die je vertrouwt, bekijkt de foto’s van gasten voor jou, op de eigen telefoon en zonder account. Een helper ziet alleen dit evenement: geen instellingen, geen adressen, geen originelen.',
  none: 'Er is nog geen helper.',
  list: 'Helpers van dit evenement',
  add: 'Helper toevoegen',
  name: 'Naam van de helper',
  names: {
    missing: 'Vul een naam in',
    long: `Gebruik hooguit ${nameChars.contributor} tekens`,
    characters: 'Er staan regeleinden of onzichtbare tekens in de naam. Typ hem opnieuw',
    link: 'In de naam mag geen link of e-mailadres staan. Zet een spatie na een punt',
  },
  nameHint: `De naam staat bij wat deze helper beslist. De link werkt op één toestel, tot de dag na het evenement, of ${eventLimits.helperHours} uur als er geen datum meer komt.`,
  create: 'Link maken',
  loadFailed: 'De helpers konden niet worden geladen.',
  failed: 'Dat kon niet worden bewaard. Probeer het opnieuw.',
  states: {
    new: 'Niet begonnen',
    begun: 'Op een toestel',
    asks: 'Een ander toestel vraagt toegang',
    ended: 'Beëindigd',
  },
  until: (when) => `Werkt tot ${when}`,
  since: (when) => `Op één toestel sinds ${when}`,
  lastSeen: (when) => `Laatst actief ${when}`,
  asked: (when) =>
    `Een ander toestel gebruikt de link sinds ${when}. Sta het alleen toe als je helper een andere telefoon heeft.`,
  counts: (approved, rejected, hidden) => `Goedgekeurd: ${approved}. Geweigerd: ${rejected}. Verborgen: ${hidden}.`,
  nothing: 'Nog niets beslist.',
  allow: 'Dit toestel toestaan',
  allowed: 'Toegestaan. Het vorige toestel werkt niet meer.',
  newLink: 'Nieuwe link',
  undo: 'Alles ongedaan maken',
  end: 'Beëindigen',
  remove: 'Verwijderen',
  of: (action, name) => `${action}: ${name}`,
  link: {
    title: (name) => `Link voor ${name}`,
    lead: 'Laat je helper deze code scannen, of stuur de link. Hij is alleen nu te zien, en het eerste toestel dat ermee begint, houdt hem.',
    qr: 'QR-code van de link',
    label: 'Link voor de helper',
    close: 'Klaar',
  },
  renewal: {
    title: (name) => `Nieuwe link voor ${name}?`,
    question: 'De vorige link werkt meteen niet meer, ook niet op het toestel dat hem gebruikt.',
    submit: 'Nieuwe link maken',
  },
  undoing: {
    title: (name) => `Ongedaan maken wat ${name} deed?`,
    question: (waiting, hidden) =>
      `Foto’s die weer wachten: ${waiting}. Foto’s die weer te zien zijn: ${hidden}. Wat jij sindsdien hebt beslist, blijft.`,
    open: 'Deze helper kan verdergaan. Beëindig eerst de toegang als je dat niet wilt.',
    confirm: 'Alles ongedaan maken',
    done: (waiting, shown) => `Ongedaan gemaakt. Wachten weer: ${waiting}. Weer te zien: ${shown}.`,
  },
  ending: {
    title: (name) => `Toegang van ${name} beëindigen?`,
    question: 'De toegang eindigt meteen. Wat beslist is, blijft, en je kunt het nog ongedaan maken.',
    confirm: 'Beëindigen',
    done: 'Beëindigd. De link werkt niet meer.',
  },
  removal: {
    title: (name) => `${name} verwijderen?`,
    question:
      'De naam wordt verwijderd. Wat beslist is, blijft, maar kan niet meer in één keer ongedaan worden gemaakt.',
    confirm: 'Verwijderen',
    done: 'Verwijderd.',
  },
}

export const reviewedBy: typeof english.reviewedBy = {
  named: (name) => `Door ${name}`,
  helper: 'Door een helper',
}

export const helping: typeof english.helping = {
  title: 'Helpen met de foto’s',
  begin: {
    heading: 'Helpen met de foto’s',
    lead: 'Iemand heeft je gevraagd om de foto’s van gasten te bekijken: welke mogen worden getoond, en welke niet.',
    device: 'De link werkt op één toestel. Druk op de knop op de telefoon die je gaat gebruiken.',
    button: 'Beginnen',
    failed: 'Dat is niet gelukt. Probeer het opnieuw.',
  },
  refused: {
    heading: 'Deze link wordt op een ander toestel gebruikt',
    lead: 'Vraag de gastheer of gastvrouw om dit toestel toe te staan: op de pagina van het evenement, onder Helpers. Deze pagina gaat dan vanzelf verder.',
    waiting: 'Wachten op toestemming…',
  },
  ended: {
    heading: 'Deze link werkt niet meer',
    lead: 'Hij is verlopen, de gastheer of gastvrouw heeft hem beëindigd, of een ander toestel gebruikt hem nu. Vraag een nieuwe als je nog helpt. Bedankt voor je hulp.',
  },
  until: (name, when) => `${name}, tot ${when}`,
  shown: 'Getoond',
  loadFailed: 'De foto’s konden niet worden geladen.',
  noneShown: 'Gasten kunnen nog geen foto’s zien.',
  listLabel: 'Foto’s die gasten kunnen zien',
  fromHosts: 'Van de gastheren',
  hidden: 'Verborgen',
  held: 'Nu op het scherm',
  hide: 'Verbergen',
  show: 'Weer tonen',
  hold: 'Vasthouden op het scherm',
  release: 'Loslaten',
  of: (action, who) => `${action}. ${who}`,
  hiddenNow: 'Verborgen. Gasten kunnen de foto niet meer zien.',
  shownNow: 'Gasten kunnen de foto weer zien.',
  heldNow: 'De schermen tonen deze foto tien minuten lang.',
  releasedNow: 'Losgelaten.',
  unchanged: 'Dat is intussen ergens anders gewijzigd.',
  failed: 'Dat kon niet worden gewijzigd. Probeer het opnieuw.',
}

export const helperEmails: typeof english.helperEmails = {
  created: {
    subject: 'Er is een helper aan je evenement toegevoegd',
    heading: 'Een helper heeft een link naar je evenement',
    lead: (when, name) =>
      `Op ${when} is een link gemaakt waarmee ${name} zonder account de foto’s van een van je evenementen kan zien, goedkeuren, weigeren en verbergen.`,
    hint: 'Als jij dit was, hoef je niets te doen. Zo niet, stel dan nu een nieuw wachtwoord in. Als je ermee inlogt, kun je de toegang beëindigen.',
  },
}
