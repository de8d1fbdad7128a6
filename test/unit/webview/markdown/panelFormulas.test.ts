import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { loadAxe } from '../page/panelRules.ts';
import { snapshot, turn } from '../page/samples.ts';

/** What answers about physics, statistics, algorithms and finance have between the delimiters. */
const bodies = String.raw`
E = mc^2
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
a^2 + b^2 = c^2
\sum_{i=1}^{n} i = \frac{n(n+1)}{2}
\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}
\lim_{x \to 0} \frac{\sin x}{x} = 1
O(n \log n)
T(n) = 2T(n/2) + O(n)
\Theta(n^2)
P(A \mid B) = \frac{P(B \mid A)\,P(A)}{P(B)}
\mathbb{E}[X] = \sum_{x} x\,p(x)
\operatorname{Var}(X) = \mathbb{E}[X^2] - (\mathbb{E}[X])^2
\sigma = \sqrt{\frac{1}{N}\sum_{i=1}^{N}(x_i - \mu)^2}
f(x) = \frac{1}{\sigma\sqrt{2\pi}} e^{-\frac{(x-\mu)^2}{2\sigma^2}}
\hat{y} = \mathbf{w}^\top \mathbf{x} + b
\nabla_\theta J(\theta)
\theta_{t+1} = \theta_t - \eta \nabla L(\theta_t)
\text{softmax}(z_i) = \frac{e^{z_i}}{\sum_{j} e^{z_j}}
\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V
A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}
\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}
\det(A - \lambda I) = 0
\vec{F} = m\vec{a}
\frac{\partial u}{\partial t} = \alpha \nabla^2 u
\oint_C \vec{B} \cdot d\vec{l} = \mu_0 I
i\hbar\frac{\partial}{\partial t}\Psi = \hat{H}\Psi
|\psi\rangle = \alpha|0\rangle + \beta|1\rangle
\Delta x \, \Delta p \geq \frac{\hbar}{2}
PV = nRT
F = G\frac{m_1 m_2}{r^2}
A = P\left(1 + \frac{r}{n}\right)^{nt}
P(x \mid y = \mbox{異常})
\text{NPV} = \sum_{t=0}^{T} \frac{C_t}{(1+r)^t}
\binom{n}{k} = \frac{n!}{k!(n-k)!}
a \equiv b \pmod{m}
\gcd(a, b) = \gcd(b, a \bmod b)
x \in \mathbb{R}^n
A \cup B \subseteq C
\forall \epsilon > 0, \exists \delta > 0
\neg (p \land q) \iff \neg p \lor \neg q
f: X \to Y
\lfloor x \rfloor \leq x < \lfloor x \rfloor + 1
|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}
\log_2 8 = 3
2^{10} = 1024
x_1, x_2, \dots, x_n
\overline{AB} \parallel \overline{CD}
\angle ABC = 90^\circ
\tan\theta = \frac{\sin\theta}{\cos\theta}
e^{i\pi} + 1 = 0
\cos(2\theta) = 2\cos^2\theta - 1
\prod_{k=1}^{n} k = n!
\zeta(s) = \sum_{n=1}^\infty \frac{1}{n^s}
\left[ \frac{x^3}{3} \right]_0^1 = \frac{1}{3}
\boxed{x = 5}
\underbrace{a + \dots + a}_{n \text{ times}}
\xrightarrow{f} B
\cancel{x} + 1
H_2O
\mathcal{L} = -\sum_i y_i \log \hat{y}_i
\hat{\beta} = (X^TX)^{-1}X^Ty
\bar{x} \pm z_{\alpha/2} \frac{\sigma}{\sqrt{n}}
V_{\text{out}} = V_{in} \cdot \frac{R_2}{R_1 + R_2}
speed = distance / time
n
O(n)
(x, y)
|x|
P(A|B)
a < b
f'(n - 1)
2n
0 < x < 1.5
`
  .trim()
  .split('\n');

/** 73 formulas in three ways, and two that have lines of their own only. */
const formulas = [
  ...bodies.map((tex) => `$${tex}$`),
  ...bodies.map((tex) => `\\(${tex}\\)`),
  ...bodies.map((tex, at) => (at % 2 === 0 ? `\n\n$$\n${tex}\n$$\n\n` : `\n\n\\[ ${tex} \\]\n\n`)),
  '\n\n\\begin{align}\na\n\\end{align}\n\n',
  '\n\n\\[\n\\begin{aligned}\nf(x) &= (x+1)^2 \\\\\n&= x^2 + 2x + 1\n\\end{aligned}\n\\]\n\n',
];

const amounts = ['5', '1,299.99', '0.002', '20k', '3.5M', '1_000', '10–$15', '4-$6/month', '2^H', '9=€8'];
const sentences = [
  'It costs $# and the other one $#.',
  'Between $# and $# per month (**$#** a year).',
  'US$#, A$# and HK$# are not the same.',
  '从 $# 涨到 $#，约 $#。',
  'Pay $#/seat=$#/team; see [plan](https://a.example/$#).',
  'Was $#~$#, now ~$#!',
  '| $# | $#=x | a_b $# |',
  '($#), ($#), {$#}_$#',
  'Set $HOME_DIR=# and $PATH_X to $#, $BAR_BAZ too.',
  'PATH=$GO_HOME/bin:$(pwd)/#_x:$PATH and $' + '{A_B}#$ {C}',
  '$DB_HOST:$DB_PORT/# or $DB_USER@$DB_HOST#_x',
  'In PHP $a_b = #; $c_d = $a_b; and $this->x_y#.',
  '`$x_1 = #$` is code, $END_DATE$ is a placeholder for #.',
  'Run echo $$ > /tmp/pid_#; kill $$ later.',
  'A pattern ends with $ and costs $#; ^a#$ or ^b_c$ match.',
  '$1 and $2 of awk, $# and $@ of a shell, $_ of Perl.',
  'Buy at $#, sell at $#: profit^2 = $#.',
  'The range $#..$# (or $#…$#) has {n_1} steps.',
  'Save \\$# or \\$#_x, that is \\$#=y.',
  'Cost=$#\nTax_1=$#\nTotal^2=$#',
  '$#/PR is down but $/session_x is up to $#',
  '$$# or $$#: too many dollars_x.',
  "awk '{print $1=$2}' f_# | sed 's/$/_x/'",
  'Costs $#, $#, and \\\\$# in C:\\x_$#',
  '$env:USER_NAME\\# and $env:A_B=$#',
  'Fees: $#+$#=$#; rates: #%_of_$#',
  'between **$#**_and_**$#**',
  '“$#” vs “$#_x”, $#-ish = $#.',
  '$# {USD} to $# {EUR}',
  'Set $a and $b to #, $(pwd)/$(x) and $ab$, $5k$, $10M$, US$# or A$x$#, $n:$ and x$a$y.',
  'From $ # to $ # and # $ or # $, $ #/m = $ #/y.',
  "f'$#{x_1}' and `$${x}` in #$ strings=$",
];
const prices = sentences.flatMap((sentence) => amounts.map((amount) => sentence.replaceAll('#', amount)));

const math = '.markdown math';

panelTest(
  'draws the formulas of answers (ollama/ollama#17090, CherryHQ/cherry-studio#9349, chatboxai/chatbox#1398, yhatt/marp#181, microsoft/vscode#135261)',
  async (panel) => {
    await panel.draw(
      snapshot(formulas.map((formula, index) => turn({ id: `r${index}`, text: `So ${formula} holds.` }))),
    );
    await panel.page.locator(math).first().waitFor();
    await panel.settle();
    const missed = await panel.page
      .locator('.reply')
      .evaluateAll((all) => all.map((one, index) => (one.querySelector('math') === null ? index : -1)));
    assert.deepEqual(
      missed.filter((index) => index !== -1).map((index) => formulas[index]),
      [],
    );
  },
);

panelTest(
  'draws the marks in text, and what is after a percent sign (lite.koboldai.net#186, siyuan#15754, katex-mini#16)',
  async (panel) => {
    const shown = {
      '\\text{center_x} + 1': 'center_x+1',
      '\\text{a\\_b,C#,R&D,50%} + \\textcolor{red}{x}': 'a_b,C#,R&D,50%+x',
      '(1 - 20% ) \\times 70\\%': '(1−20%)×70%',
      '\\text{if$x_1$} + 5 %': 'ifx1+5%',
      'a % no\n= b': 'a=b',
      '\\newcommand{\\a}[1]{\\text{#1}} \\a{b}': 'b',
    };
    await panel.draw(
      snapshot([
        turn({
          text: Object.keys(shown)
            .map((tex) => `\\(${tex}\\)`)
            .join('\n\n'),
        }),
      ]),
    );
    await panel.page.locator(math).first().waitFor();
    await panel.settle();
    assert.deepEqual(await panel.page.locator(math).allTextContents(), Object.values(shown));
  },
);

panelTest('breaks the lines of a displayed formula (ronkok/Temml#68, goessner/mdmath#105)', async (panel) => {
  const lines = [
    String.raw`\[ a = b \\ c = d \]`,
    `$$\nf(x) &= x \\\\\n&= y\n$$`,
    String.raw`\[ \begin{cases} a \\ b \end{cases} \\ x^{c} \]`,
    String.raw`\[ \begin{cases} a \\ b \end{cases} \]`,
    String.raw`\[ a_{b} \{ c \} \]`,
    String.raw`\[ a \\ b % c \]`,
  ];
  await panel.draw(snapshot(lines.map((text, index) => turn({ id: `r${index}`, text }))));
  await panel.page.locator(math).first().waitFor();
  await panel.settle();
  assert.deepEqual(
    await panel.page.locator(math).evaluateAll((all) => all.map((one) => one.querySelectorAll('mtr').length)),
    [2, 2, 4, 2, 0, 2],
  );
});

panelTest('draws no price, range or name as a formula (nimbalyst#1385, wayland#704, lobehub#8553)', async (panel) => {
  await panel.draw(snapshot([...prices, 'But $x_1$ is.'].map((text, index) => turn({ id: `r${index}`, text }))));
  await panel.page.locator(math).first().waitFor();
  await panel.settle();
  const drawn = await panel.page.locator('.formula:has(math)').allTextContents();
  assert.deepEqual(
    drawn.map((text) => text.slice(0, 5)),
    ['$x_1$'],
  );
});

const bombs = [
  '\\def\\a{\\a\\a}\\a',
  '\\def\\a#1{\\b{#1#1#1#1#1}}\\def\\b#1{\\c{#1#1#1#1#1}}\\def\\c#1{\\d{#1#1#1#1#1}}\\def\\d#1{\\e{#1#1#1#1#1}}\\def\\e#1{#1#1#1#1#1}\\a{x}',
  `\\def\\a{${'x'.repeat(900)}}${'\\a'.repeat(900)}`,
  `${'x^{'.repeat(900)}${'}'.repeat(900)}`,
  `${'{'.repeat(1_900)}x${'}'.repeat(1_900)}`,
  // Chromium lays these out in a time that grows with the cube of the depth.
  `${'\\smash{'.repeat(100)}x${'}'.repeat(100)}`,
  'x'.repeat(12_000),
];
const commands = [
  '\\href{javascript:alert(1)}{x}',
  '\\href{https://a.example}{x}',
  '\\url{https://a.example}',
  '\\includegraphics{https://a.example/i.png}',
  '\\htmlClass{a}{x}',
  '\\htmlId{app}{x}',
  '\\htmlStyle{position:fixed}{x}',
  '\\htmlData{does=send}{x}',
  '\\class{composer}{x}',
  '\\id{app}{x}',
  '\\style{position:fixed}{x}',
  '\\data{does=send}{x}',
  '\\ref{app}',
  '\\eqref{app}',
  '\\require{x}',
  '\\input{/etc/passwd}',
  '\\write18{x}',
  '\\foo_1',
  '\\frac{1',
  'a_1 & b',
];

panelTest('shows a formula that is wrong, too big or leads somewhere as its source', { height: 600 }, async (panel) => {
  const tex = [...bombs, ...commands];
  await panel.draw(
    snapshot([...tex.map((each, index) => turn({ id: `r${index}`, text: `\\(${each}\\)` })), turn({ text: '$x_1$' })]),
  );
  await panel.page.locator(math).first().waitFor();
  await panel.settle();
  assert.deepEqual(await panel.page.locator('.formula:has(math)').allTextContents(), ['$x_1$x1']);
  const texts = await panel.page.locator('.markdown').allTextContents();
  assert.deepEqual(
    texts.slice(0, -1).map((text) => text.slice(0, 99)),
    tex.map((each) => `\\(${each}\\)`.slice(0, 99)),
  );
  assert.deepEqual(panel.requests, []);
});

panelTest('the definitions, labels and sizes of a formula have no effect beyond it', async (panel) => {
  const tex = [
    '\\gdef\\foo{1}\\foo_1',
    '\\foo_2',
    '\\begin{align}a &= b \\label{app} \\tag{1}\\end{align}',
    '\\kern-900em x_1',
    '\\rule{900em}{900em}',
    '\\color{url(//a)} x',
  ];
  await panel.draw(snapshot(tex.map((each, index) => turn({ id: `r${index}`, text: `\\[${each}\\]` }))));
  await panel.page.locator(math).first().waitFor();
  await panel.settle();
  const shown = await panel.page.locator('.markdown').evaluateAll((all) =>
    all.map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return {
        isDrawn: one.querySelector('math') !== null,
        isLarge: height > 400 || width > innerWidth,
        ids: one.querySelectorAll('[id]').length,
      };
    }),
  );
  assert.deepEqual(
    shown.map(({ isDrawn }) => isDrawn),
    [true, false, true, true, true, false],
  );
  assert.ok(
    shown.every(({ isLarge, ids }) => !isLarge && ids === 0),
    JSON.stringify(shown),
  );
});

panelTest('copies the source of formulas, and loads nothing before the first one', { width: 320 }, async (panel) => {
  const text =
    'So \\(x_1\\) is\n\n\\[\n\\frac{a + b + c + d + e + f + g + h + i + j + k + l + m + n}{2} = \\frac{a + b + c + d}{3}\n\\]\n\nand *done*.';
  const isLoaded = () =>
    panel.page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/temml.js')));
  await panel.draw(snapshot([turn({ text: 'Costs $5.' })]));
  assert.equal(await isLoaded(), false);
  await panel.draw(snapshot([turn({ id: 'r2', text })]));
  await panel.page.locator(math).nth(1).waitFor();
  await panel.settle();
  assert.equal(await isLoaded(), true);
  const copied = await panel.page.evaluate(() => {
    const data = new DataTransfer();
    document.getSelection()?.selectAllChildren(document.querySelector('.markdown') ?? document.body);
    document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, cancelable: true }));
    return data.getData('text/plain');
  });
  assert.equal(copied.replaceAll(/\n+/g, '\n').trim(), text.replaceAll('*', '').replaceAll(/\n+/g, '\n'));
  const wide = await panel.page
    .locator('.displayed')
    .evaluate((one) => [one.scrollWidth > one.clientWidth, one.clientWidth <= innerWidth]);
  assert.deepEqual(wide, [true, true]);
  await loadAxe(panel.page);
  const violations = await panel.page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  assert.deepEqual(violations, []);
});
