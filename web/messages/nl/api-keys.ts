import type { apiKeys as english } from '../en/api-keys.ts'

/** API keys in settings. */
export const apiKeys: typeof english = {
  name: 'API-toegang',
  lead: 'Voor photobooths, camera’s en je eigen site.',
  heading: 'Upload rechtstreeks uit je photobooth',
  partOf: (plan) => `API-sleutels zitten in ${plan}.`,
  waiting: (count, one) =>
    one
      ? 'Je sleutel werkt nu niet. Na een upgrade werkt hij weer.'
      : `Je ${count} sleutels werken nu niet. Na een upgrade werken ze weer.`,
  action: 'Bekijk de abonnementen',
  documentation: 'API-documentatie',
  list: 'API-sleutels',
  loadFailed: 'Je API-sleutels laden is niet gelukt.',
  empty: 'Nog geen sleutels. Met een sleutel kan een photobooth of camera zelf uploaden.',
  createFirst: 'Je eerste sleutel maken',
  create: 'Sleutel maken',
  scope: 'Een sleutel kan je account en foto’s lezen en nieuwe foto’s uploaden. Verder niets.',
  createdOn: (date) => `gemaakt op ${date}`,
  expiresOn: (date) => `Verloopt op ${date}`,
  expired: 'Verlopen',
  neverUsed: 'Nooit gebruikt',
  usedNow: 'Net nog gebruikt',
  usedMinutesAgo: (minutes) => `${minutes} min geleden gebruikt`,
  usedToday: (time) => `Vandaag gebruikt, ${time}`,
  notUsedSince: (date) => `Niet gebruikt sinds ${date}`,
  deleteOne: (name) => `De sleutel ${name} verwijderen`,
  creation: {
    title: 'Een API-sleutel maken',
    lead: 'Geef hem de naam van het toestel dat hem gebruikt. Dan weet je later welke je kunt verwijderen.',
    label: 'Naam',
    placeholder: 'Bijvoorbeeld: photobooth in de zaal',
    expiry: 'Verloopt',
    expiryNever: 'Nooit',
    expiryDays: (days) => `Over ${days} dagen`,
    expiryYear: 'Over een jaar',
    submit: 'Sleutel maken',
    created: 'De API-sleutel is gemaakt',
    failed: 'De API-sleutel maken is niet gelukt',
  },
  newKey: {
    title: (name) => `De nieuwe sleutel ${name}`,
    copyNow: 'Kopieer de sleutel nu. Je ziet hem maar één keer.',
    key: 'De sleutel',
    example: 'Upload er een foto mee:',
    command: 'De opdracht',
    done: 'Klaar',
  },
  deletion: {
    title: 'Deze sleutel verwijderen?',
    question: (name) =>
      `Alles wat ‘${name}’ gebruikt, werkt binnen een seconde niet meer en heeft een nieuwe sleutel nodig. Foto’s die ermee geüpload zijn, blijven staan.`,
    keep: 'Sleutel houden',
    confirm: 'Sleutel verwijderen',
    deleted: 'De API-sleutel is verwijderd',
    failed: 'De API-sleutel verwijderen is niet gelukt',
  },
}
