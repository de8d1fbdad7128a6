import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { isPrivateHost } from '../../../../src/core/network/hostName.ts';

const accepted: readonly (readonly [input: string, base: string])[] = [
  // Q62: any part of the address
  ['https://gateway.example', 'https://gateway.example/v1'],
  ['https://gateway.example/', 'https://gateway.example/v1'],
  ['https://gateway.example/v1', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/v1', 'https://gateway.example/v1'],
  ['https://gateway.example//v1', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/chat/completions', 'https://gateway.example/v1'],
  ['https://gateway.example/V1/Chat/Completions', 'https://gateway.example/V1'],
  ['https://gateway.example/v1/embeddings', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/v1/chat/completions', 'https://gateway.example/v1'],
  ['https://gateway.example/v1?limit=100&utm_source=mail', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/chat', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/models/some/model', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/chat/completions/chat/completions', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/chat/completions?stream=true#x', 'https://gateway.example/v1'],
  ['https://gateway.example/v1/messages', 'https://gateway.example/v1'],
  ['http://localhost:11434/api/chat', 'http://localhost:11434/v1'], // Dodelidoo-Labs/sonobarr#40
  // Q63: prefixes of real gateways
  ['https://gateway.example/openai', 'https://gateway.example/openai/v1'],
  ['https://gateway.example/api/v1/chat/completions', 'https://gateway.example/api/v1'],
  ['https://gateway.example/compatible-mode/v1', 'https://gateway.example/compatible-mode/v1'],
  ['https://gateway.example/v1beta/openai', 'https://gateway.example/v1beta/openai'],
  ['https://gateway.example/v1beta/openai/chat/completions', 'https://gateway.example/v1beta/openai'],
  ['https://gateway.example/api/paas/v4', 'https://gateway.example/api/paas/v4'],
  ['https://gateway.example/team/a/b', 'https://gateway.example/team/a/b/v1'],
  ['https://gateway.example/pre fix'.replace(' ', '%20'), 'https://gateway.example/pre%20fix/v1'],
  ['https://gateway.example/v1/openai', 'https://gateway.example/v1/openai'],
  // smallmain/vscode-unify-chat-provider#181, langgenius/dify#2911, mlverse/chattr#97
  ['https://gateway.example/v1/account/gateway/compat', 'https://gateway.example/v1/account/gateway/compat'],
  ['https://gateway.example/v1/account/gateway/openai/', 'https://gateway.example/v1/account/gateway/openai'],
  [
    'https://gateway.example/v1/projects/p/endpoints/openapi',
    'https://gateway.example/v1/projects/p/endpoints/openapi',
  ],
  ['https://gateway.example/serving-endpoints', 'https://gateway.example/serving-endpoints'],
  ['https://gateway.example/v1beta/models/some-model:generateContent', 'https://gateway.example/v1beta'],
  // Q64: IPv6, ports, this machine
  ['http://[::1]:3000', 'http://[::1]:3000/v1'],
  ['[::1]:3000', 'http://[::1]:3000/v1'],
  ['https://[2001:DB8:0:0::1]:8443', 'https://[2001:db8::1]:8443/v1'],
  ['localhost:3000', 'http://localhost:3000/v1'],
  ['LOCALHOST:3000/v1', 'http://localhost:3000/v1'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
  ['http://127.1:80', 'http://127.0.0.1/v1'],
  ['http://localhost:80/v1', 'http://localhost/v1'],
  ['https://gateway.example:8443/v1', 'https://gateway.example:8443/v1'],
  ['gateway.example:8443', 'https://gateway.example:8443/v1'],
  ['http://[::ffff:10.0.0.1]', 'http://[::ffff:a00:1]/v1'],
  // Q65: input as people type it
  ['https：／／gateway.example／v1', 'https://gateway.example/v1'],
  ['https://gateway.example：8443', 'https://gateway.example:8443/v1'],
  ['https://gateway。example', 'https://gateway.example/v1'],
  ['“https://gateway.example/v1”', 'https://gateway.example/v1'],
  ['https://\u202egateway.example', 'https://gateway.example/v1'],
  ['https:///gateway.example', 'https://gateway.example/v1'],
  ['https://gateway.example\\@evil.example', 'https://gateway.example/@evil.example/v1'],
  ['data:8080', 'https://data:8080/v1'],
  ['gateway.example', 'https://gateway.example/v1'],
  ['//gateway.example/v1', 'https://gateway.example/v1'],
  ['  https://gateway.example/v1\n', 'https://gateway.example/v1'],
  ['"https://gateway.example/v1",', 'https://gateway.example/v1'],
  ['https://gateway.example/v1。', 'https://gateway.example/v1'],
  ["'gateway.example'", 'https://gateway.example/v1'],
  ['<https://gateway.example/v1>', 'https://gateway.example/v1'],
  ['\u200bhttps://gateway.example/v1\u200b', 'https://gateway.example/v1'],
  ['https://ｇａｔｅｗａｙ.example', 'https://gateway.example/v1'],
  ['https://例え.example/v1', 'https://xn--r8jz45g.example/v1'],
  ['https://gateway.example\\v1', 'https://gateway.example/v1'],
  ['http:/gateway.example', 'http://gateway.example/v1'],
  ['https:gateway.example', 'https://gateway.example/v1'],
  ['https://gateway.example/a/../v1', 'https://gateway.example/v1'],
];

const refused: readonly (readonly [input: string, reason: RegExp])[] = [
  ['', /Enter an address such as https:\/\/gateway\.example\/v1\./],
  ['\u200b\ufeff', /Enter an address such as https:\/\/gateway\.example\/v1\./],
  ['https://gateway.example /v1', /contains a space/],
  ['https://gateway.example\u3000/v1', /contains a space/],
  ['https://gateway.example\nhttps://b.example', /contains a space/],
  ['https://gateway\u0000.example', /isn't an address/],
  ['https://user:secret@gateway.example', /user name and password/],
  ['https://@gateway.example', /user name and password/],
  ['https://user:secret＠gateway.example', /user name and password/],
  ['https://gateway.example@evil.example/v1', /user name and password/],
  ['user:secret@gateway.example/v1', /must start with https:\/\//],
  ['https:\\/user:secret@gateway.example', /user name and password/],
  ['ftp://gateway.example', /must start with https:\/\//],
  ['file:///etc/passwd', /must start with https:\/\//],
  ['javascript:alert(1)', /must start with https:\/\//],
  ['data:text/html,x', /must start with https:\/\//],
  ['secret+HIDDEN-thing://gateway.example', /must start with https:\/\/ or http:\/\/\.$/],
  ['https://', /isn't an address/],
  ['https://gateway.example:65536', /isn't an address/],
  ['https://gateway.example:port', /isn't an address/],
  ['https://[::1', /isn't an address/],
  ['http://[fe80::1%eth0]:3000', /isn't an address/],
  ['https://fe80::1', /isn't an address/],
  ['2001:db8::1', /isn't an address/],
  ['https://1.2.3.4.5.6', /isn't an address/],
  ['https://gate%20way.example', /isn't an address/],
  ['https://https://gateway.example/v1', /isn't an address/],
  ['https://https//gateway.example', /isn't an address/],
  // A key is never part of an address
  ['sk-AbCdEf0123456789AbCdEf0123456789', /looks like a key/],
  ['0123456789abcdef0123456789AbCdEf', /looks like a key/],
  ['https://gateway.example/v1?key=AbCdEf', /address contains a key/],
  ['https://gateway.example/v1?a=1&access_token=AbCdEf', /address contains a key/],
  ['https://gateway.example/v1?a=sk-AbCdEf0123456789', /address contains a key/],
  ['https://gateway.example/sk-AbCdEf0123456789/v1', /address contains a key/],
  ['https://gateway.example/%73k-AbCdEf0123456789/v1', /address contains a key/],
  ['https://gateway.example/v1#key=sk-AbCdEf0123456789', /address contains a key/],
  // The address doesn't work without api-version, so dropping it wouldn't help
  ['https://name.openai.azure.com/openai/deployments/a/chat/completions?api-version=2024-10-21', /On Azure/],
  ['https://name.openai.azure.com/openai/deployments/a', /On Azure/], // clusterzx/paperless-ai#246
  [`https://gateway.example/${'a'.repeat(2_100)}`, /isn't an address/],
  ['a'.repeat(1_000_000), /looks like a key/],
];

for (const [input, base] of accepted) {
  test(`Q62–Q65 reads ${JSON.stringify(input)} as ${base}`, () => {
    const result = parseBaseUrl(input);
    assert.ok(result.ok, result.ok ? '' : result.reason);
    assert.equal(result.value.base, base);
    assert.equal(result.value.origin, new URL(base).origin);
    assert.equal(result.value.modelsUrl, `${base}/models`);
    assert.equal(result.value.chatUrl, `${base}/chat/completions`);
  });
}

/** Addresses without a version before the endpoint, which must be used as they are. */
const exact: readonly (readonly [source: string, input: string, chat: string, models: string])[] = [
  ['open-webui/open-webui#3676', 'https://api.perplexity.ai/chat/completions', '/chat/completions', '/models'],
  ['open-webui/open-webui#8317', 'https://x.example/api/chat/completions/', '/api/chat/completions', '/api/models'],
  [
    'maximhq/bifrost#4785',
    'https://x.example/v2/ai/openai/chat/completions?a=b',
    '/v2/ai/openai/chat/completions',
    '/v2/ai/openai/models',
  ],
  [
    'maximhq/bifrost#517',
    'https://x.example/v1/account/gateway/compat/chat/completions',
    '/v1/account/gateway/compat/chat/completions',
    '/v1/account/gateway/compat/models',
  ],
  ['GitHub Models', 'models.github.ai/inference/chat/completions', '/inference/chat/completions', '/inference/models'],
  [
    'AlbertRapp/tidychatmodels#20',
    'https://x.example/serving-endpoints/m/invocations',
    '/serving-endpoints/m/invocations',
    '/serving-endpoints/m/models',
  ],
];

for (const [source, input, chat, models] of exact) {
  test(`Q62 uses ${input} exactly, also when it is read from the settings again (${source})`, () => {
    const result = parseBaseUrl(input);
    assert.ok(result.ok);
    const { base, origin, modelsUrl, otherModelsUrl, chatUrl } = result.value;
    assert.deepEqual([base, chatUrl, modelsUrl], [`${origin}${chat}`, `${origin}${chat}`, `${origin}${models}`]);
    assert.equal(otherModelsUrl, `${origin}/v1/models`);
    assert.equal(new URL(input.includes('://') ? input : `https://${input}`).origin, origin);
    assert.deepEqual(parseBaseUrl(base), result);
  });
}

for (const [input, reason] of refused) {
  test(`Q65 refuses ${JSON.stringify(input)}`, () => {
    const result = parseBaseUrl(input);
    assert.ok(!result.ok, result.ok ? result.value.base : '');
    assert.match(result.reason, reason);
    assert.doesNotMatch(result.reason, /secret|AbCdEf|HIDDEN/);
  });
}

test('Q66 marks only plain http to a public host as exposed', () => {
  const isExposed = (input: string) => {
    const result = parseBaseUrl(input);
    return result.ok && result.value.isExposed;
  };
  for (const url of [
    'http://gateway.example',
    'http://172.15.0.1',
    'http://172.32.0.1',
    'http://[2001:db8::1]',
    'http://10.0.0.1.evil.example',
    'http://notlocalhost',
    'http://0.0.0.0',
    'http://[::ffff:8.8.8.8]',
    'http://[fec0::1]',
    'http://100.64.0.1',
  ]) {
    assert.equal(isExposed(url), true, url);
  }
  for (const url of [
    'https://gateway.example',
    'http://localhost',
    'http://a.localhost',
    'http://127.0.0.1',
    'http://[::1]',
    'http://10.1.2.3',
    'http://172.16.0.1',
    'http://172.31.255.1',
    'http://192.168.1.1',
    'http://169.254.1.1',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://gateway.local.',
    'http://[::ffff:192.168.1.1]',
    'http://box.lan',
  ]) {
    assert.equal(isExposed(url), false, url);
  }
});

test('recognizes private hosts in upper and lower case', () => {
  assert.equal(isPrivateHost('LOCALHOST'), true);
  assert.equal(isPrivateHost('[FD00::1]'), true);
});

const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('localhost', '[::1]', 'gateway'),
);
test('never returns a user name, a query or a fragment, and adds each endpoint once', () => {
  const part = fc.string({ unit: fc.constantFrom(...'aZ09.-_~%:@/?#[]&=+\\', 'é', '例', '／'), maxLength: 12 });
  fc.assert(
    fc.property(
      fc.constantFrom('', 'http://', 'https://'),
      host,
      part,
      part,
      part,
      (scheme, name, user, tail, more) => {
        const result = parseBaseUrl(`${scheme}${user}${name}/${tail}?${more}#${more}`);
        if (result.ok) {
          const { base, origin, modelsUrl, chatUrl } = result.value;
          const url = new URL(base);
          assert.equal(url.username + url.password + url.search + url.hash, '');
          assert.equal(url.origin, origin);
          assert.equal(url.href, base);
          if (chatUrl !== base) {
            assert.deepEqual([modelsUrl, chatUrl], [`${base}/models`, `${base}/chat/completions`]);
            assert.doesNotMatch(base, /\/(?:models|chat\/completions)$/i);
          }
          assert.deepEqual(parseBaseUrl(base), result);
        }
      },
    ),
  );
});
