import { text as before } from '../2026-11-23/privacy-nl.ts'
import { amend } from '../amend.ts'

const security = 'Om accounts en de dienst te beveiligen (gerechtvaardigd belang)'

/** Het privacybeleid in het Nederlands. */
export const text = amend(before, ({ values: v }) => ({
  'Wat de pagina’s nodig hebben':
    'Wat de pagina’s nodig hebben om te werken, wordt zonder vragen op je toestel bewaard, zoals de wet toestaat. Het blijft daar: alleen het token van de sessie, de taal en, als je je aanmeldt, de cookie device worden naar ons gestuurd.',
  'language (cookie)': [
    ['language (cookie)', 'De taal die je koos, als je er een koos', `${v.languageDays} dagen`],
    [
      'device (cookie)',
      'Herkent deze browser als je je opnieuw aanmeldt, zodat anderen die wachtwoorden proberen je niet ophouden, en zodat je hoort van aanmeldingen met andere browsers. De cookie bevat van je account alleen een hash met een geheime sleutel, waaruit het niet af te lezen is, en meldt niemand aan',
      `${v.deviceCookieDays} dagen na je laatste aanmelding, of tot je de cookie wist. Na een nieuw wachtwoord telt ze niet meer`,
    ],
    [
      'unsent-uploads-* (lokale opslag)',
      'De namen van de foto’s die je aan het uploaden bent, zodat je na herladen leest welke niet verstuurd zijn, en wat aangekomen is, overgeslagen wordt',
      'Tot alles geüpload is, je de melding sluit of je je afmeldt',
    ],
  ],
  '**Berichten aan ondersteuning**': [
    [
      '**Berichten aan ondersteuning**: naam, e-mailadres, onderwerp, bericht, je account als je aangemeld bent, en pseudoniemen zoals hierboven, van IPv6 ook van de twee ruimere netwerken, tegen misbruik. Ze gaan ook per e-mail naar wie antwoordt',
      'Om je te antwoorden (overeenkomst, gerechtvaardigd belang)',
      `${v.supportAnsweredDays} dagen na het antwoord; zonder antwoord ${v.supportOpenDays} dagen, ${v.supportSuspectedDays} dagen als het op spam lijkt; de pseudoniemen ${v.requestAttemptDays} dag`,
    ],
  ],
  '**Foute wachtwoorden**': [
    [
      '**Foute wachtwoorden**: het ingevulde e-mailadres, het aantal pogingen en, waar je je eerder aanmeldde, het IP-adres of het willekeurige nummer van de browser uit de cookie device',
      security,
      `${v.passwordAttemptDays} dag na de laatste poging`,
    ],
  ],
  '**Tellers**': [
    [
      '**Tellers**: hoe vaak een IP-adres (van IPv6 een netwerk), een browser met de cookie device, een account of een sleutel iets opriep waarvoor een limiet geldt',
      security,
      `Ongeveer ${v.rateHitMinutes} minuten; van uploads ongeveer ${v.uploadHitMinutes} minuten`,
    ],
  ],
}))
