import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type * as english from '../en/support.ts'

export const supportEmails: typeof english.supportEmails = {
  received: {
    subject: 'We hebben je bericht ontvangen',
    preview: 'We antwoorden per e-mail.',
    lead: (host, when) => `Je bericht aan ${host} is aangekomen op ${when}.`,
    answer: 'We antwoorden per e-mail op dit adres. Je hoeft niets te doen.',
    reason: (host) =>
      `Je krijgt deze e-mail omdat dit adres is ingevuld in het contactformulier op ${host}. ` +
      `Was jij dat niet? Dan mag je deze e-mail negeren.`,
  },
}

export const supportQuestions: typeof english.supportQuestions = {
  event: {
    heading: 'Op het feest',
    questions: {
      connection: {
        question: 'Het scherm heeft geen verbinding meer. Wat nu?',
        answer:
          'Laat Nieuwste openstaan. De laatste foto en de code ervan blijven op het scherm, en de verbinding komt vanzelf terug. Foto’s die je ondertussen uploadt, wachten in de uploadlijst. Duurt het langer dan een minuut? Controleer dan het netwerk van de computer: op een gastnetwerk moet je je vaak na een tijdje opnieuw inloggen.',
      },
      scan: {
        question: 'Gasten scannen de code, maar er gaat niets open',
        answer:
          'Hun telefoon heeft een verbinding nodig waarmee ze deze site kunnen bereiken. Bij Instellingen, Klaar voor vanavond? staat een testcode die je zelf kunt scannen. Zorg dat er geen lamp in het scherm weerspiegelt en dat niets de witte rand rond de code bedekt.',
      },
      screens: {
        question: 'Kan ik de foto’s op meerdere schermen tonen?',
        answer: 'Ja. Log op elk scherm in en open Nieuwste: ze tonen allemaal een nieuwe foto zodra die klaar is.',
      },
      awake: {
        question: 'Hoe blijft het scherm aan?',
        answer:
          'Zolang Nieuwste openstaat, blijft het scherm van de computer aan. Televisies en beamers hebben soms een eigen slaaptimer: zet die vooraf uit.',
      },
    },
  },
  photos: {
    heading: 'Foto’s en gasten',
    questions: {
      email: {
        question: 'De e-mail van een gast is niet aangekomen',
        answer:
          'Bij Fotoaanvragen zie je wat er met elke e-mail is gebeurd. Meestal zit hij in de spammap, of staat er een tikfout in het adres: de gast kan de code dan opnieuw scannen. Een e-mail die is mislukt, kun je daar opnieuw versturen.',
      },
      link: {
        question: 'Hoe lang werkt de link in de e-mail van een gast?',
        answer: `${limits.grantHours} uur, voor die ene foto en zo vaak als de gast wil. Daarna kan de gast de code opnieuw scannen.`,
      },
      remove: {
        question: 'Iemand wil dat een foto weggaat',
        answer:
          'Open de foto in de Galerij en verberg of verwijder hem. Vanaf dat moment kunnen gasten hem niet meer openen, niet met de codes en niet via links in e-mails. Gasten kunnen een foto ook melden op de pagina ervan: je krijgt dan een e-mail en beslist zelf.',
      },
      addresses: {
        question: 'Wat gebeurt er met de e-mailadressen van gasten?',
        answer: `We gebruiken ze om de foto te sturen waar de gast om vroeg, voor niets anders. Je ziet ze bij Fotoaanvragen. Na ${limits.requestDays} dagen worden ze verwijderd.`,
      },
    },
  },
  account: {
    heading: 'Je account',
    questions: {
      password: {
        question: 'Ik ben mijn wachtwoord vergeten',
        answer: `Kies “Wachtwoord vergeten?” op de inlogpagina. We mailen je een link om een nieuw wachtwoord in te stellen. Die werkt ${accountLimits.resetMinutes} minuten.`,
      },
      data: {
        question: 'Hoe download ik mijn gegevens of verwijder ik mijn account?',
        answer: `Dat doe je allebei bij Instellingen. We mailen je een link naar één bestand met alles uit je account; die werkt ${accountLimits.exportDays} dagen. Een verwijderd account is niet terug te halen: je foto’s zijn weg en gedrukte codes werken niet meer.`,
      },
    },
  },
  plans: { heading: 'Abonnement en betaling' },
}

export const support: typeof english.support = {
  title: 'Hulp',
  description: `Antwoorden op vragen over ${productName}, en een contactformulier.`,
  lead: 'De meeste vragen beantwoorden we hier. Staat de jouwe er niet bij? Neem contact op.',
  write: 'Contact opnemen',
  questions: 'Vragen en antwoorden',
  linkTo: (question) => `Link naar “${question}”`,
  fields: { name: 'Naam', email: 'E-mailadres', subject: 'Onderwerp', message: 'Bericht' },
  charactersLeft: (count, written) => (count === 1 ? 'Nog 1 teken' : `Nog ${written} tekens`),
  charactersOver: (count, written) => (count === 1 ? '1 teken te veel' : `${written} tekens te veel`),
  send: 'Bericht versturen',
  sendAgain: 'Opnieuw versturen',
  sending: 'Bezig met versturen',
  honeypot: 'Laat dit leeg',
  privacy: 'We gebruiken je naam en adres om je te antwoorden, voor niets anders.',
  priority: 'Je abonnement krijgt voorrang: jouw bericht komt eerst aan de beurt.',
  problems: {
    name: { missing: 'Vul je naam in', long: (most) => `Gebruik hooguit ${most} tekens` },
    subject: { missing: 'Vul een onderwerp in', long: (most) => `Gebruik hooguit ${most} tekens` },
    message: { missing: 'Schrijf een bericht', long: (most) => `Gebruik hooguit ${most} tekens` },
    email: {
      missing: 'Vul je e-mailadres in',
      at: 'Vul een volledig adres in, zoals naam@example.com',
      ending: 'Het einde van het adres ontbreekt, zoals .be of .com',
      several: 'Vul maar één adres in',
      space: 'Er staat een spatie in het adres',
      characters: 'Er staan tekens in het adres die niet mogen',
      long: 'Het adres is te lang',
      form: 'Dit lijkt geen e-mailadres te zijn',
    },
  },
  failed: 'Je bericht is niet verstuurd.',
  offline: 'Je lijkt offline te zijn. Controleer je verbinding en probeer het opnieuw.',
  tryAgain: 'Probeer het later opnieuw.',
  tooMany: (wait) => `Er kwamen te veel berichten van jouw netwerk. Probeer het over ${wait} opnieuw.`,
  waitMinutes: (minutes) => (minutes === 1 ? 'een minuut' : `${minutes} minuten`),
  waitHours: (hours) => (hours === 1 ? 'een uur' : `${hours} uur`),
  stillHere: 'Je tekst staat er nog.',
  orEmail: 'Of mail ons op',
  sent: {
    heading: 'Bericht verstuurd',
    answer: 'We hebben je bericht ontvangen. We antwoorden per e-mail aan',
    spam: 'Geen antwoord? Kijk in je spammap en controleer het adres hierboven.',
    another: 'Nog een bericht schrijven',
    home: 'Naar de startpagina',
    back: 'Terug naar Hulp',
  },
}
