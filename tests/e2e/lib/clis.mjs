// How each real CLI is pointed at the scripted model server, by its own configuration, the way a
// user would do it: {env, home: files for the home folder}.

export const clis = {
  claude: (url) => ({
    env: {
      ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'any',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1',
    },
    home: {},
  }),
  codex: (url) => ({
    env: {OPENAI_API_KEY: 'any'},
    home: {
      '.codex/config.toml': `model_provider = "local"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
`,
    },
  }),
  opencode: (url) => ({
    // It would install a package for plug-ins at its first start; here it works without.
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_registry: 'http://127.0.0.1:9/',
    },
    home: {
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'local/scripted', small_model: 'local/scripted',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible', name: 'local',
            options: {baseURL: `${url}/v1`, apiKey: 'any'}, models: {scripted: {name: 'scripted'}},
          },
        },
      }),
    },
  }),
  gemini: (url) => ({
    env: {GEMINI_API_KEY: 'any', GOOGLE_GEMINI_BASE_URL: url},
    home: {
      '.gemini/settings.json': JSON.stringify({
        security: {auth: {selectedType: 'gemini-api-key'}}, privacy: {usageStatisticsEnabled: false},
        model: {name: 'gemini-2.5-pro'}, general: {enableAutoUpdate: false, disableAutoUpdate: true},
      }),
    },
  }),
};
