import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import type { supportQuestions as english } from '../en/support-questions.ts'

export const supportQuestions: typeof english = {
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
