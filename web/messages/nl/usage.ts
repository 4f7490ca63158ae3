import type { usage as english } from '../en/usage.ts'

/** What is left of a plan's limits. */
export const usage: typeof english = {
  heading: 'Verbruik deze maand',
  photos: 'Foto’s',
  storage: 'Opslagruimte',
  of: (used, most) => `${used} van ${most}`,
  photosLeft: (percent, left, until) => `${percent}, nog ${left} tot ${until}`,
  storageLeft: (percent, left) => `${percent}, nog ${left}`,
  counting: 'De telling begint elke 1e van de maand (UTC). Verwijderde foto’s tellen mee, mislukte niet.',
  yourPlan: (plan) => `Je abonnement is ${plan}.`,
  planUnknown: 'We weten nu even niet wat er in je abonnement zit. Zodra we het weten, staat het hier.',
  left: (left, most, until) => `Nog ${left} van ${most} foto’s tot ${until}.`,
  monthNear: (used, left, until) => `${used} foto’s van deze maand zijn gebruikt, nog ${left} tot ${until}.`,
  monthFull: (most, until) =>
    `Alle ${most} foto’s van deze maand zijn gebruikt. Nieuwe foto’s wachten in de uploadlijst en worden vanzelf geüpload op ${until}, of na een upgrade.`,
  storageNear: (used, left) => `${used} opslagruimte is gebruikt, nog ${left} over.`,
  storageFull: (size) =>
    `Je opslagruimte van ${size} is vol. Foto’s die er niet meer bij passen, wachten in de uploadlijst en worden vanzelf geüpload zodra je er andere verwijdert, of na een upgrade.`,
  plans: 'Bekijk de abonnementen',
  gallery: 'Galerij openen',
  subscription: 'Je verbruik bekijken',
  hide: 'Verbergen tot 90%',
}
