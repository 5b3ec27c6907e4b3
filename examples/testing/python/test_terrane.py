"""A test against an empty Terrane of its own: python -m unittest (pytest runs it too)."""

import json
import os
import shlex
import signal
import subprocess
import unittest
import urllib.request


class TerraneTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = shlex.split(os.environ.get("MOCK_COMMAND", "npx --yes terrane mock"))
        cls.mock = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.server = json.loads(cls.mock.stdout.readline())

    @classmethod
    def tearDownClass(cls):
        os.kill(cls.server["pid"], signal.SIGTERM)
        cls.mock.wait(timeout=10)
        cls.mock.stdout.close()

    def post(self, path, type, attributes):
        request = urllib.request.Request(
            f"{self.server['address']}/api/v2/{path}",
            data=json.dumps({"data": {"type": type, "attributes": attributes}}).encode(),
            headers={
                "Authorization": f"Bearer {self.server['token']}",
                "Content-Type": "application/vnd.api+json",
            },
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)["data"]

    def test_a_workspace_begins_unlocked(self):
        self.post("organizations", "organizations", {"name": "acme", "email": "admin@acme.example"})
        workspace = self.post("organizations/acme/workspaces", "workspaces", {"name": "network"})
        self.assertFalse(workspace["attributes"]["locked"])


if __name__ == "__main__":
    unittest.main()
