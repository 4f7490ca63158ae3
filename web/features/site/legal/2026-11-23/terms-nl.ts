import { productName } from '@keepsnap/contract/site.ts'
import { paths } from '../../../../lib/paths.ts'
import { dollars, type LegalContext, type LegalSection, type LegalText } from '../legal-text.ts'
import { processing } from './terms-processing-nl.ts'

const parties: LegalSection = {
  id: 'parties',
  title: 'Wie met wie een overeenkomst sluit',
  blocks: () => [
    `Deze algemene voorwaarden zijn de overeenkomst tussen jou, die een account hebt, en het bedrijf dat deze site uitbaat met het programma ${productName} (“wij”):`,
    { operator: { name: 'Bedrijf', address: 'Adres', vat: 'Btw-nummer', email: 'E-mail' } },
    'Je aanvaardt ze als je een account maakt; we bewaren welke versie dat was. Ze gelden voor particulieren (consumenten) en voor ondernemingen; waar maar een van beide bedoeld is, staat dat erbij. Voorwaarden van jou gelden niet. Gasten die een foto openen, sluiten met ons geen overeenkomst; [artikel](#content) zegt wat zij mogen.',
  ],
}

const service: LegalSection = {
  id: 'service',
  title: 'Wat je krijgt',
  blocks: ({ values: v }) => [
    'Je uploadt foto’s. Elke foto krijgt een pagina en twee QR-codes, een om ze te downloaden en een om ze per e-mail te vragen. Wie een code scant, krijgt de foto zoals je dat hebt ingesteld. Je grote scherm toont de nieuwste.',
    {
      table: {
        caption: 'Abonnementen',
        head: ['Abonnement', 'Prijs', 'Foto’s per maand', 'Opslag', 'Grootste bestand'],
        rows: [
          ['Free', '$0', `${v.freePhotos}`, `${v.freeStorageGb} GB`, `${v.freeFileMb} MB`],
          [
            'Pro Monthly',
            `${dollars(v.monthlyCents)} per maand`,
            `${v.monthlyPhotos}`,
            `${v.monthlyStorageGb} GB`,
            `${v.monthlyFileMb} MB`,
          ],
          [
            'Pro Yearly',
            `${dollars(v.yearlyCents)} per jaar`,
            `${v.yearlyPhotos}`,
            `${v.yearlyStorageGb} GB`,
            `${v.yearlyFileMb} MB`,
          ],
        ],
      },
    },
    `Prijzen zijn in Amerikaanse dollar. De Pro-abonnementen voegen een eigen logo, achtergrond en watermerk, gebruiksstatistieken en voorrang bij ondersteuning toe; Pro Yearly ook toegang tot de API. QR-codes zijn in elk abonnement onbeperkt. De pagina met [prijzen](${paths.pricing}) vergelijkt de abonnementen.`,
    '**Boven een limiet.** Een foto boven het aantal van de maand of de opslag wordt met de reden geweigerd en wacht in je browser; ze wordt geüpload als de volgende maand begint, als je foto’s verwijdert, of met een groter abonnement. Een te groot bestand wacht op een abonnement dat het aanneemt. Foto’s die er al staan, blijven, en hun codes blijven werken. Een maand is een kalendermaand in UTC; een verwijderde foto telt mee voor haar maand.',
    `**Redelijk gebruik.** Om iedereen te beschermen zijn er limieten per minuut (zoals ${v.uploadsPerMinute} uploads van een account en ${v.authPerMinute} pogingen om aan te melden vanaf één plaats), voor e-mails naar gasten, en voor bestanden waarvan de verwerking lang duurt. Wie er een bereikt, krijgt te lezen wat te doen.`,
  ],
}

const account: LegalSection = {
  id: 'account',
  title: 'Je account',
  blocks: () => [
    'Je bent volwassen, of je hebt toestemming van een ouder of voogd. Het e-mailadres is van jou en klopt: we schrijven ernaar over je abonnement en je foto’s. Houd het wachtwoord voor jezelf en laat het ons weten als iemand anders het heeft. Je bent verantwoordelijk voor wat er met je account gebeurt, behalve als het onze fout is of je het ons gemeld hebt.',
    'Een account is voor één persoon of één onderneming. Je mag er anderen mee laten werken, op jouw verantwoordelijkheid.',
  ],
}

const money: Record<LegalContext['site']['payments'], string> = {
  stripe:
    '**Betaling.** Abonnementen worden vooraf per kaart betaald, op de pagina van onze betaaldienst Stripe. De prijs in de tabel is alles wat je betaalt: btw is inbegrepen waar ze verschuldigd is, er zijn geen opstartkosten. De betaaldienst maakt voor elke betaling een factuur.',
  demo: '**Demo: er gaat geen geld om.** Op deze site zijn betalingen een demonstratie. Er wordt geen kaart gevraagd, niets aangerekend en niets terugbetaald; wat volgt, toont wat anders zou gelden.',
  off: '**Deze site verkoopt geen abonnementen.** Wie ze uitbaat, kan je zonder betaling een groter abonnement geven. Wat volgt, zou gelden als er abonnementen verkocht werden.',
}

const payment: LegalSection = {
  id: 'payment',
  title: 'Prijs, verlenging en opzeggen',
  blocks: ({ values: v, site }) => [
    money[site.payments],
    `**Verlenging.** Een betaald abonnement loopt vanzelf door, telkens een maand of een jaar tegen dezelfde prijs, tot je opzegt. Opzeggen kan altijd in [Instellingen](${paths.settings}), tot de laatste dag, zonder reden en zonder kosten. Je houdt het abonnement tot het einde van de betaalde periode, en er wordt niets meer aangerekend. Tot dan kun je de opzegging terugdraaien.`,
    '**Veranderen.** Tussen maandelijks en jaarlijks wisselen kan altijd en gaat meteen in. Wat van de betaalde periode over is, telt mee voor de nieuwe prijs. Is dat meer, dan betaalt de rest je volgende betalingen, zolang het abonnement loopt.',
    `**Een mislukte betaling.** Je abonnement loopt ${v.graceDays} dagen door terwijl de betaling opnieuw geprobeerd wordt, en we zeggen je hoe je dat rechtzet. Daarna wordt je abonnement Free. Zeg je op terwijl een betaling ontbreekt, dan stopt het abonnement meteen en wordt die betaling niet meer gevraagd.`,
    '**Nieuwe prijzen** gelden alleen voor abonnementen die beginnen of verlengd worden nadat we ze gemeld hebben zoals [artikel](#changes) zegt.',
    '**Een abonnement zonder betaling** dat we je geven, stopt op de dag die we noemen, of als we het terugnemen.',
  ],
}

const refund: LegalSection = {
  id: 'refund',
  title: 'Geld terug en herroepingsrecht',
  blocks: ({ values: v }) => [
    `**${v.refundDays} dagen geld terug.** Binnen ${v.refundDays} dagen na je eerste betaling kun je alles terugkrijgen wat je betaald hebt, zonder reden: “Geld terugvragen” in [Instellingen](${paths.settings}). Het gaat terug naar de kaart waarmee je betaalde. Je abonnement stopt meteen en wordt Free; voor je foto’s geldt [artikel](#end). We bieden dit één keer per klant aan, aan consumenten en ondernemingen.`,
    '**Herroepingsrecht van consumenten.** Als consument mag je een betaalde overeenkomst binnen 14 dagen nadat je ze sloot herroepen, zonder reden (artikelen VI.47 en volgende van het Belgische Wetboek van economisch recht). De garantie hierboven gaat verder en is de gemakkelijkste manier. Voor een overeenkomst die daar niet onder valt, zoals een tweede, zeg je het ons binnen die dagen in duidelijke woorden, bijvoorbeeld per e-mail. Je krijgt dan alles terug wat je voor die overeenkomst betaalde, ten laatste 14 dagen nadat je het ons zei, met hetzelfde betaalmiddel; voor de dagen waarop je ze gebruikte, houden we niets in.',
    {
      contact: 'operator',
      before: 'Herroep met een bericht naar',
      after:
        'Je kunt schrijven: “Ik herroep mijn overeenkomst voor het abonnement … van (datum). Naam, e-mailadres van het account, datum.”',
    },
  ],
}

const content: LegalSection = {
  id: 'content',
  title: 'Je foto’s, en wat niet mag',
  blocks: ({ values: v }) => [
    '**Je foto’s blijven van jou.** Je geeft ons alleen het recht ze te bewaren, om te zetten, te tonen en te versturen, zover de dienst dat nodig heeft en zolang ze hier staan. We gebruiken ze voor niets anders: niet voor reclame, en niet om machines te trainen.',
    '**Jij bent verantwoordelijk voor wat je uploadt.** Je mag het delen, en de mensen op de foto’s weten ervan of stemden toe, zoals de wet vraagt. Zeg hun, bijvoorbeeld op het scherm of aan de ingang, wie de foto’s maakt en wat ermee gebeurt.',
    '**Niet toegestaan**: wat de wet of de rechten van anderen schendt; seksuele beelden van minderjarigen, haat, bedreigingen; heel persoonlijke beelden van mensen zonder hun toestemming; schadelijke bestanden; e-mails naar mensen die er niet om vroegen; zonder onze toestemming gaten in onze beveiliging zoeken, limieten omzeilen, of de dienst zo belasten dat anderen eronder lijden; de dienst zonder afspraak met ons als je eigen dienst doorverkopen.',
    '**Gasten** mogen een foto openen, bewaren en gebruiken zoals de eigenaar en de wet toestaan; een code geeft hun er verder geen recht op. Ze mogen ze melden.',
    `**Meldingen.** Iedereen kan een foto melden op de pagina van de foto, met een reden en een opmerking; van elke reden worden ${v.openReports} open meldingen bewaard. De eigenaar krijgt bericht en kan de foto verbergen of laten staan. Ook wij bekijken gemelde foto’s: wat onwettig is of tegen deze voorwaarden ingaat, verbergen we voor gasten. In ernstige of herhaalde gevallen sluiten we het account. De eigenaar ziet wat beslist is en kan per e-mail antwoorden; een mens bekijkt het dan opnieuw. Geen machine beslist over inhoud.`,
  ],
}

const end: LegalSection = {
  id: 'end',
  title: 'Als een abonnement of het account eindigt',
  blocks: ({ values: v }) => [
    `**Als een betaald abonnement eindigt**, wordt je account Free. Codes blijven werken. Logo, achtergrond, watermerk, statistieken en toegang tot de API stoppen. Voor wat blijft, telt alleen de opslag: je foto’s worden ${v.keepDays} dagen bewaard. Nemen ze dan meer in dan de ${v.freeStorageGb} GB van Free, dan worden de oudste verwijderd tot de rest past. Daarvoor sturen we ${v.keepEmails} e-mails (op dag ${v.keepEmailDays}) met het aantal foto’s, de dag, en een link naar een bestand met allemaal. Tot ${v.undoRemovalDays} dagen na de verwijdering kun je ze ongedaan maken, zover er plaats is.`,
    `**Je kunt altijd weg**: “Gegevens exporteren” en “Mijn account verwijderen” in [Instellingen](${paths.settings}). Verwijderen stopt ook een abonnement en kan niet ongedaan worden gemaakt; wat betaald is, wordt dan niet terugbetaald, behalve volgens [artikel](#refund).`,
    `**Wij kunnen de overeenkomst opzeggen** per e-mail, minstens ${v.noticeDays} dagen vooraf, en betalen dan terug wat je voor de tijd daarna betaalde. Om een belangrijke reden, zoals een ernstige inbreuk op [artikel](#content) of een betaling met bedrog, mogen we je account meteen sluiten; je gegevens kun je dan nog krijgen, tenzij een wet dat verbiedt. Sluiten we een abonnement zonder reden van jouw kant, dan krijg je het deel van de prijs voor de rest van de periode terug.`,
  ],
}

/** De algemene voorwaarden in het Nederlands. */
export const text: LegalText = {
  summary: ({ values: v }) => [
    'Je foto’s blijven van jou.',
    `Opzeggen kan altijd. Binnen ${v.refundDays} dagen na de eerste betaling krijg je één keer al je geld terug.`,
    `Na het einde van een betaald abonnement worden je foto’s ${v.keepDays} dagen bewaard; daarna gaan de oudste weg, tot de rest in Free past.`,
    'Het Belgische recht geldt. Wat de wet consumenten geeft, blijft van hen.',
  ],
  sections: [parties, service, account, payment, refund, content, end, ...processing],
}
