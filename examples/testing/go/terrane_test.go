// A test against an empty Terrane of its own, by go-tfe: go test ./...
package example

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/hashicorp/go-tfe"
)

type server struct {
	Address string `json:"address"`
	Token   string `json:"token"`
	Pid     int    `json:"pid"`
}

func startMock(t *testing.T) *tfe.Client {
	t.Helper()
	command := os.Getenv("MOCK_COMMAND")
	if command == "" {
		command = "npx --yes terrane mock"
	}
	words := strings.Fields(command)
	mock := exec.Command(words[0], words[1:]...)
	mock.Stderr = os.Stderr
	output, err := mock.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var said server
	if err := json.Unmarshal(line, &said); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(said.Pid, syscall.SIGTERM)
		_ = mock.Wait()
	})
	client, err := tfe.NewClient(&tfe.Config{Address: said.Address, Token: said.Token})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestAWorkspaceBeginsUnlocked(t *testing.T) {
	client, ctx := startMock(t), context.Background()
	_, err := client.Organizations.Create(ctx, tfe.OrganizationCreateOptions{
		Name:  tfe.String("acme"),
		Email: tfe.String("admin@acme.example"),
	})
	if err != nil {
		t.Fatal(err)
	}
	workspace, err := client.Workspaces.Create(ctx, "acme", tfe.WorkspaceCreateOptions{Name: tfe.String("network")})
	if err != nil {
		t.Fatal(err)
	}
	if workspace.Locked {
		t.Error("the workspace is locked")
	}
}
