import type { storageEmails as english } from '../en/storage-emails.ts'

/** Emails about what a plan includes: usage of it, and photos that are removed after a larger plan has ended. */
export const storageEmails: typeof english = {
  usage: {
    photosNearlyUsed: (used, limit) => `Je hebt deze maand ${used} van je ${limit} foto’s gebruikt`,
    photosUsed: (limit) => `Je hebt alle ${limit} foto’s van deze maand gebruikt`,
    storageNearlyFull: (used, limit) => `Je hebt ${used} van je ${limit} opslagruimte gebruikt`,
    storageFull: (limit) => `Je opslagruimte van ${limit} is vol`,
    preview: (planName) => `Wat er in je abonnement ${planName} zit en hoe je meer krijgt.`,
    photosLead: (planName, limit) => `In je abonnement ${planName} zitten ${limit} foto’s per maand.`,
    photosUntil: (when) => `Op ${when} begint de telling opnieuw.`,
    photosWait:
      'Tot dan blijven nieuwe foto’s in je uploadlijst staan. Zodra er plaats is, worden ze vanzelf geüpload.',
    storageLead: (planName, limit, used) =>
      `In je abonnement ${planName} zit ${limit} opslagruimte. Je foto’s nemen ${used} in.`,
    storageWaits:
      'Nieuwe foto’s die er niet meer bij passen, blijven in je uploadlijst staan. Zodra er plaats is, worden ze vanzelf geüpload.',
    morePhotos: 'Heb je eerder meer foto’s nodig? Kies dan een groter abonnement.',
    moreStorage: 'Verwijder foto’s die je niet meer nodig hebt, of kies een groter abonnement.',
    morePhotosThanAnyPlan: (address) => `Heb je eerder meer foto’s nodig? Schrijf dan naar ${address}.`,
    moreStorageThanAnyPlan: (address) =>
      `Verwijder foto’s die je niet meer nodig hebt. Heb je meer opslagruimte nodig? Schrijf dan naar ${address}.`,
    plans: 'Bekijk de abonnementen',
    gallery: 'Galerij openen',
    settings: 'Naar Instellingen',
    reason: (host) => `Je krijgt deze e-mail omdat je account op ${host} aan een limiet van het abonnement zit.`,
  },
  removal: {
    subject: (photos, count, when) =>
      photos === 1 ? `Op ${when} wordt 1 foto verwijderd` : `Op ${when} worden ${count} foto’s verwijderd`,
    preview: 'Download alles, kies een groter abonnement of verwijder foto’s die je niet meer nodig hebt.',
    heading: (photos, count) =>
      photos === 1 ? 'Eén van je foto’s wordt verwijderd' : `${count} van je foto’s worden verwijderd`,
    lead: (planName, limit, used) =>
      `Je grotere abonnement is afgelopen. Je abonnement is nu ${planName}, met ${limit} opslagruimte, en je foto’s nemen ${used} in.`,
    removed: ({ photos, count, size, when }) =>
      photos === 1
        ? `Op ${when} verwijderen we de oudste foto (${size}), zodat de andere passen. De codes en links van die foto werken dan niet meer.`
        : `Op ${when} verwijderen we de ${count} oudste foto’s (${size}), zodat de andere passen. Hun codes en links werken dan niet meer.`,
    keep: (pricingUrl) =>
      `Wil je ze allemaal houden? Kies dan een groter abonnement op ${pricingUrl}, of verwijder vóór die dag andere foto’s.`,
    archive:
      'Een kopie van alles uit je account staat klaar. Houd de link voor jezelf: wie hem heeft, kan het bestand openen.',
    noArchive: 'In Instellingen kun je een kopie aanvragen van alles uit je account.',
    download: 'Alles downloaden',
    expiry: (when) => `De link werkt tot ${when}.`,
    settings: 'Naar Instellingen',
    reason: (host) => `Je krijgt deze e-mail omdat foto’s van je account op ${host} worden verwijderd.`,
  },
  removed: {
    subject: (photos, count) => (photos === 1 ? '1 foto is verwijderd' : `${count} foto’s zijn verwijderd`),
    preview: (when) => `Je kunt ze terugzetten tot ${when}.`,
    heading: (photos, count) =>
      photos === 1 ? 'Eén van je foto’s is verwijderd' : `${count} van je foto’s zijn verwijderd`,
    lead: (planName, limit, size) =>
      `In je abonnement ${planName} zit ${limit} opslagruimte. De oudste foto’s (${size}) zijn verwijderd, zodat de andere passen.`,
    restore: (when) =>
      `Tot ${when} kun je ze terugzetten: kies een groter abonnement en ze komen vanzelf terug, of maak plaats en zet ze terug in Instellingen. Daarna zijn ze definitief weg.`,
    button: 'Naar Instellingen',
    reason: (host) => `Je krijgt deze e-mail omdat foto’s van je account op ${host} zijn verwijderd.`,
  },
}
